import type { ComponentChildren } from 'preact';
import type { UpcomingInvoice } from '../../api/objects.ts';
import type { Loaded } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Period } from '../../components/values.tsx';
import { BesideEarlier } from '../invoices/beside-earlier.tsx';
import { BillLines } from '../invoices/invoice-lines.tsx';

/** The name of the next invoice in a letter. */
export const UPCOMING = 'The upcoming invoice';

/**
 * The next invoice with the usage so far, beside the one before; `path` is its own. If none will follow, the API
 * answers 409 with the reason.
 */
export function Upcoming({ path, loaded }: { path: string; loaded: Loaded<UpcomingInvoice> }) {
  const is_none = isNone(loaded);
  return (
    <Section
      title="Upcoming invoice"
      actions={
        !is_none && (
          <button type="button" onClick={loaded.reload}>
            Refresh
          </button>
        )
      }
    >
      <UpcomingOrNone loaded={loaded}>
        {(upcoming) => <Lines path={path} upcoming={upcoming} />}
      </UpcomingOrNone>
    </Section>
  );
}

type UpcomingProps = {
  loaded: Loaded<UpcomingInvoice>;
  children: (bill: UpcomingInvoice) => ComponentChildren;
};

/** Shows what `children` makes of the next invoice, or why there is none: asking once more would change nothing. */
export function UpcomingOrNone({ loaded, children }: UpcomingProps) {
  if (!isNone(loaded)) return <Loading loaded={loaded}>{children}</Loading>;
  const is_stopped = loaded.fault?.details[0]?.reason === 'impossible_to_bill';
  return (
    <Empty title={is_stopped ? 'The invoice cannot be created' : 'No further invoice'}>
      <p>{sentence(loaded.fault?.message ?? '')}</p>
    </Empty>
  );
}

function isNone({ fault }: Loaded<UpcomingInvoice>): boolean {
  return fault?.status === 409;
}

/** The API's messages mostly have no capital and no full stop: add both. */
function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;
}

function Lines({ path, upcoming }: { path: string; upcoming: UpcomingInvoice }) {
  const { period_start, period_end, timezone } = upcoming;
  return (
    <div class="stack">
      <p class="lead">
        Preview of the {upcoming.kind === 'opening' ? 'opening invoice' : 'invoice'} for{' '}
        <Period from={period_start} to={period_end} timezone={timezone} />, with the usage so far. Nothing is
        stored.
      </p>
      <BesideEarlier path={path} bill={upcoming} name={UPCOMING} />
      <BillLines bill={upcoming} lines={upcoming.line_items} />
    </div>
  );
}
