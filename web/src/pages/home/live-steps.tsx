import type { Account, Home } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { whomToAsk } from '../../api/use-refusal.ts';
import { Definitions } from '../../components/definitions.tsx';
import { Loading } from '../../components/loading.tsx';
import { AddressText, TaxIdText } from '../../components/party-fields.tsx';
import { Link } from '../../shell/environment.tsx';
import { useDashboard, useMay } from '../../shell/session.tsx';

/** The seller as its invoices have it, with what it lacks. */
export function SellerStep({ lacks }: { lacks: Home['seller_lacks'] }) {
  const loaded = useLoad<Account>('/v1/account');
  return (
    <>
      <Loading loaded={loaded}>
        {(account) => <Seller key={lacks.join(' ')} account={account} lacks={lacks} />}
      </Loading>
      <SetSeller />
    </>
  );
}

function Seller({ account, lacks }: { account: Account; lacks: Home['seller_lacks'] }) {
  const { name, address, tax_ids, invoice_prefix, timezone } = account;
  return (
    <Definitions
      entries={[
        ['Name', lacks.includes('name') ? null : name],
        ['Address', address && <AddressText address={address} />],
        ['VAT id or tax id', tax_ids.length === 0 ? null : <TaxIdText tax_ids={tax_ids} />],
        ['Prefix of invoice numbers', invoice_prefix],
        ['Time zone', timezone],
      ]}
    />
  );
}

/** The way to the form of the seller, or whom to ask for it. */
export function SetSeller() {
  return (
    <WayTo page="/settings/account" needs="updateAccount">
      Set the seller
    </WayTo>
  );
}

/** The way to the page that invites people, or whom to ask for it. */
export function InviteFinance() {
  return (
    <WayTo page="/settings/users" needs="inviteUser">
      Invite your finance
    </WayTo>
  );
}

function WayTo({ page, needs, children }: { page: string; needs: string; children: string }) {
  const dashboard = useDashboard();
  if (!useMay(needs)) return <p>{whomToAsk(dashboard)}</p>;
  return (
    <p>
      <Link to={page} is_button>
        {children}
      </Link>
    </p>
  );
}
