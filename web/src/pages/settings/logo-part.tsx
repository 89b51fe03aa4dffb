import type { TargetedEvent } from 'preact';
import { asFault, Fault, faultAt } from '../../api/fault.ts';
import type { Account } from '../../api/objects.ts';
import { useAction } from '../../api/use-action.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Loading } from '../../components/loading.tsx';
import { dataAddressOf, LogoImage, useLogo } from '../../components/logo.tsx';
import { FaultNotice } from '../../components/notice.tsx';
import { May, useClient } from '../../shell/session.tsx';

/** A file that is larger is not sent: the API would refuse the whole request before it looks at the file. */
const BYTES_MAX = 200 * 1024;

type LogoPartProps = { account: Account; changed: () => void };

/** The logo on documents: shows it, sets another one, removes it. */
export function LogoPart({ account, changed }: LogoPartProps) {
  const client = useClient();
  const loaded = useLogo(account);
  const has_logo = account.logo_sha256 !== null;
  const remove = async () => {
    await client.delete<Account>('/v1/account/logo');
    changed();
  };
  // The file has the same path as the one before it.
  const reload = () => {
    changed();
    loaded.reload();
  };
  return (
    <section class="form logo-part" aria-labelledby="logo">
      <h2 id="logo">Logo</h2>
      <div class="stack">
        {has_logo ? (
          <Loading loaded={loaded}>
            {(address) => (
              <p>
                <LogoImage address={address} />
              </p>
            )}
          </Loading>
        ) : (
          <p class="faint">Documents have no logo.</p>
        )}
        <May use="setAccountLogo">
          <LogoField label={has_logo ? 'Set another logo' : 'Set a logo'} set_logo={reload} />
          {has_logo && (
            <QuestionButton label="Remove" question="Remove the logo?" perform={remove} done_label="Removed.">
              <p>Invoices that are issued from now on have none. Issued invoices keep theirs.</p>
            </QuestionButton>
          )}
        </May>
      </div>
    </section>
  );
}

/** Sends a file as soon as it is chosen. */
function LogoField({ label, set_logo: setLogo }: { label: string; set_logo: () => void }) {
  const client = useClient();
  const { state, fault, run } = useAction(async (file: File) => {
    await client.put<Account>('/v1/account/logo', { png: await base64Of(file) }).catch((error: unknown) => {
      throw ofFile(error);
    });
    setLogo();
  });
  const onChange = ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    // The same file can be chosen again.
    currentTarget.value = '';
    if (file !== undefined) run(file);
  };
  return (
    <div class="field">
      <label for="logo-file">{state === 'running' ? 'Please wait …' : label}</label>
      <p class="hint" id="logo-file-hint">
        A PNG file of at most 200 KB and 2,000 pixels a side. It stands at the top of invoices that are issued
        from now on.
      </p>
      <input
        id="logo-file"
        type="file"
        accept=".png,image/png"
        aria-describedby="logo-file-hint"
        onChange={onChange}
      />
      <span role="status" class="done">
        {state === 'done' && 'Set.'}
      </span>
      {fault !== null && <FaultNotice fault={fault} />}
    </div>
  );
}

async function base64Of(file: File): Promise<string> {
  if (file.size > BYTES_MAX) throw faultAt('png', 'too_large', 'The file must have at most 200 KB.');
  if (file.size === 0) throw faultAt('png', 'malformed', 'The file is empty.');
  const address = await dataAddressOf(file);
  return address.slice(address.indexOf(',') + 1);
}

/** The fault with the file in place of the field, whose name nobody sees here. */
function ofFile(error: unknown): Fault {
  const fault = asFault(error);
  const { status, code, details, request_id } = fault;
  const is_of_file = details.some(({ param }) => param === 'png');
  const message = fault.message.replace(/^png must be/, 'The file must be');
  return new Fault({ status, code, message, details: is_of_file ? [] : details, request_id });
}
