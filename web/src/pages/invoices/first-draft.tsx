import type { Home, Start } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Notice } from '../../components/notice.tsx';
import { useEnvironment } from '../../shell/environment.tsx';
import { InviteFinance, SetSeller } from '../home/live-steps.tsx';

const LACKS: Readonly<Record<Home['seller_lacks'][number], string>> = {
  name: 'no name of its own',
  address: 'no address',
  tax_ids: 'no VAT id or tax id',
};

/** Says what a live account lacks before its first invoice is issued; nothing in test data. */
export function BeforeFirstInvoice() {
  const is_live = useEnvironment() === 'live';
  const start = useLoad<Start>(is_live ? '/dashboard/api/start' : null).value;
  if (start === null || start.has_issued) return null;
  const { steps, seller_lacks } = start;
  if (steps.seller && steps.finance) return null;
  return (
    <Notice kind="attention">
      <p>
        <strong>Before your first invoice is issued:</strong> it cannot be changed afterwards.
      </p>
      {!steps.seller && (
        <>
          <p>The seller has {seller_lacks.map((lack) => LACKS[lack]).join(', ')}.</p>
          <SetSeller />
        </>
      )}
      {!steps.finance && (
        <>
          <p>Nobody else may do the work of finance yet.</p>
          <InviteFinance />
        </>
      )}
    </Notice>
  );
}
