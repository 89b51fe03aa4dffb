import { Code } from '../../components/values.tsx';
import { useDashboard } from '../../shell/session.tsx';

/**
 * A workflow id, as a link into the Temporal UI if its address is known. Null, which only a payer gets, shows nothing.
 */
export function WorkflowLink({ id }: { id: string | null }) {
  const { temporal_ui_url, temporal_namespace } = useDashboard();
  if (id === null) return null;
  if (temporal_ui_url === null) return <Code>{id}</Code>;
  const namespace = encodeURIComponent(temporal_namespace);
  return (
    <a
      href={`${temporal_ui_url}/namespaces/${namespace}/workflows/${encodeURIComponent(id)}`}
      target="_blank"
      rel="noreferrer"
    >
      <Code>{id}</Code>
    </a>
  );
}
