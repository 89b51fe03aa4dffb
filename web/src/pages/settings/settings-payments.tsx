import type { Account, List, PaymentProvider } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { Definitions } from '../../components/definitions.tsx';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, type Values } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty, Notice } from '../../components/notice.tsx';
import { Time } from '../../components/values.tsx';
import { useEnvironment } from '../../shell/environment.tsx';
import { May, useClient } from '../../shell/session.tsx';
import { ChargingForm } from './charging-form.tsx';
import { Settings } from './settings.tsx';

const PATH = '/v1/payment-providers';

/** The payment provider of the environment. */
export function PaymentSettingsPage() {
  const environment = useEnvironment();
  const loaded = useLoad<List<PaymentProvider>>(PATH);
  const account = useLoad<Account>('/v1/account');
  return (
    <Settings title="Payments">
      <p class="lead">
        The account at Stripe where customers save cards and debits, and with which {environment} data charges
        them.
      </p>
      <Loading loaded={loaded}>
        {({ data: [provider] }) =>
          provider === undefined ? (
            <NoProvider reload={loaded.reload} />
          ) : (
            <Provider key={provider.id} provider={provider} reload={loaded.reload} />
          )
        }
      </Loading>
      <Loading loaded={account}>
        {(loaded_account) => <ChargingForm key={`${loaded_account.livemode}`} account={loaded_account} />}
      </Loading>
    </Settings>
  );
}

function NoProvider({ reload }: { reload: () => void }) {
  const client = useClient();
  const environment = useEnvironment();
  return (
    <>
      <Empty title="No account is connected" />
      <May use="createPaymentProvider">
        <FormButton
          label="Connect Stripe"
          kind="primary"
          title={`Connect Stripe for ${environment} data`}
          submit_label="Connect"
          submit={async (values) => {
            await client.post(PATH, { kind: 'stripe', ...secretsOf(values) });
            reload();
          }}
        >
          <Field
            name="secret_key"
            label="Secret key"
            hint={`It begins with sk_${environment} or rk_${environment}. It is tried, stored encrypted, and shown nowhere.`}
          />
          <Field
            name="webhook_secret"
            label="Secret of events"
            hint="Only of an endpoint that you have made at Stripe. If empty, one is made where this page is reached by https."
          />
        </FormButton>
      </May>
    </>
  );
}

function Provider({ provider, reload }: { provider: PaymentProvider; reload: () => void }) {
  const { id, account, status, status_reason, key_last_four, webhook_url, created_at } = provider;
  return (
    <div class="stack">
      {status === 'failing' && (
        <Notice kind="attention">
          <p>
            <strong>Stripe refuses requests or does not answer.</strong> <q>{status_reason}</q>
          </p>
          <p>
            Charges wait, and none is lost. If the key is at fault, replace it; else they go on once Stripe
            answers.
          </p>
        </Notice>
      )}
      <Definitions
        entries={[
          ['Account', account],
          ['State', <Badge status={status} />],
          ['Secret key', `ends with ${key_last_four}`],
          ['Events come to', webhook_url],
          ['Connected', <Time at={created_at} />],
        ]}
      />
      <ProviderActions path={`${PATH}/${id}`} reload={reload} />
    </div>
  );
}

function ProviderActions({ path, reload }: { path: string; reload: () => void }) {
  const client = useClient();
  return (
    <div class="buttons">
      <May use="updatePaymentProvider">
        <FormButton
          label="Replace secrets"
          title="Replace the secrets"
          submit_label="Save"
          submit={async (values) => {
            await client.patch(path, secretsOf(values));
            reload();
          }}
        >
          <Field
            name="secret_key"
            label="Secret key"
            hint="Of the same account; if empty, it stays as it is."
          />
          <Field
            name="webhook_secret"
            label="Secret of events"
            hint="If empty, it stays. The present one is valid beside a new one."
          />
        </FormButton>
      </May>
      <May use="deletePaymentProvider">
        <QuestionButton
          label="Disconnect"
          question="Disconnect this account?"
          perform={async () => {
            await client.delete(path);
            reload();
          }}
        >
          <p>The payment methods of all customers are removed here, for good.</p>
        </QuestionButton>
      </May>
    </div>
  );
}

/** The secrets that were entered. */
function secretsOf({ secret_key = '', webhook_secret = '' }: Values): object {
  return {
    ...(secret_key === '' ? {} : { secret_key: secret_key.trim() }),
    ...(webhook_secret === '' ? {} : { webhook_secret: webhook_secret.trim() }),
  };
}
