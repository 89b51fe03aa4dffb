import type { WebhookEndpoint } from '../../api/objects.ts';
import { Field, Select, type Values } from '../../components/form.tsx';

const PAYLOADS = [
  { value: 'full', label: 'Full: with the object' },
  { value: 'thin', label: 'Thin: without the object' },
];

/** The fields of an endpoint; `endpoint` is the present one, null for a new one. */
export function WebhookFields({ endpoint }: { endpoint: WebhookEndpoint | null }) {
  return (
    <>
      <Field name="url" label="Address" initial={endpoint?.url} hint="Begins with https://" />
      <Field
        name="types"
        label="Types"
        initial={endpoint?.types?.join(', ')}
        hint="Separated by commas, such as invoice.*, payment.recorded; empty for all."
      />
      <Field name="description" label="Description" initial={endpoint?.description ?? undefined} />
      <Select name="payload" label="Content" options={PAYLOADS} value={endpoint?.payload ?? 'full'} />
    </>
  );
}

/** The body of a request from the fields: an empty one is null. */
export function settingsOf({ url, types, description, payload }: Values): object {
  const names = (types ?? '').split(',').flatMap((name) => name.trim() || []);
  return { url, types: names.length === 0 ? null : names, description: description || null, payload };
}
