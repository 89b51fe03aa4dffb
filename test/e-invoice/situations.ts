import type { Json, Received, Sent } from '../support/servers/api.ts';
import { AUSTRIAN_VAT_ID, GERMAN_VAT_ID, HAMBURG, VIENNA } from '../support/documents/e-document.ts';
import {
  at,
  FLAT,
  PER_UNIT,
  times,
  type testCustomersOn,
  type Use,
} from '../support/ledger/test-customer.ts';
import { SEATS, SEATS_IN_ADVANCE } from '../support/ledger/quantities.ts';
import { TIERS } from '../support/ledger/tiers.ts';

/** The content of the invoice of January, and with `late` of that of February: the lines, the recipient and the seller. */
export type Situation = {
  charges: object[];
  customer?: object;
  seller?: object;
  currency?: string;
  credit?: number;
  items?: { quantity?: string; unit_amount: string }[];
  /** Discounts from before January on. */
  discounts?: { name: string; percent?: string; amount?: string; event_names?: string[] }[];
  /** The least that a month costs. */
  minimum_amount?: string;
  uses?: Use[];
  /** Usage that is stored in February, of January unless it says another time. */
  late?: Use[];
  /** The quantities with which the subscription begins, then those of days of January. */
  quantities?: { at?: string; quantities: Record<string, string> }[];
  /** The day on which the subscription starts, with the first of January as its anchor; by default that day. */
  start?: string;
};

const TOKENS = { event_name: 'token', aggregation: { type: 'sum', property: 'n' } };
const GRADUATED = { ...TOKENS, pricing_model: 'graduated', tiers: TIERS };
const MINUTES = { ...PER_UNIT, event_name: 'minute', aggregation: { type: 'sum', property: 'n' } };
const used = (event_name: string, n: string): Use => ({ event_name, properties: { n } });
const LOYALTY = { name: 'Loyalty', percent: '10' };
const REBATE = { name: 'Rebate', amount: '10' };
const SELLER = { address: HAMBURG, tax_ids: [GERMAN_VAT_ID], invoice_footer: 'Payable within 14 days.' };
export const BUYER = { name: 'Acme Ltd', tax_rate: '19', address: VIENNA, tax_ids: [AUSTRIAN_VAT_ID] };

/** Every kind of invoice that the e-invoice treats in a way of its own. */
export const SITUATIONS = {
  'standard rate': {
    charges: [FLAT, PER_UNIT],
    uses: times(3, {}),
    customer: { net_days: 14, email: 'billing@acme.example', buyer_reference: 'PO 4711' },
  },
  'a part of a fee': {
    charges: [FLAT, { ...FLAT, event_name: 'rent', flat_amount: '62.005' }],
    start: '01-16',
  },
  'a rate of zero': { charges: [FLAT], customer: { tax_rate: '0' } },
  exempt: { charges: [FLAT], customer: { tax_treatment: 'exempt', tax_ids: [] } },
  'reverse charge': { charges: [FLAT], customer: { tax_treatment: 'reverse_charge' } },
  'late lines below zero': {
    charges: [FLAT, MINUTES, GRADUATED],
    uses: [used('minute', '8'), used('token', '1500')],
    late: [used('minute', '-3'), used('token', '-400')],
  },
  yen: {
    charges: [
      { ...FLAT, flat_amount: '1000' },
      { ...PER_UNIT, unit_amount: '0.5' },
    ],
    uses: times(3, {}),
    currency: 'JPY',
    customer: { tax_rate: '10', timezone: 'Asia/Tokyo' },
  },
  '100 lines': {
    charges: Array.from({ length: 100 }, (_, index) => ({ ...PER_UNIT, event_name: `event ${index}` })),
    uses: Array.from({ length: 50 }, (_, index) => ({ event_name: `event ${2 * index}` })),
  },
  'a seller without a VAT id': {
    charges: [FLAT],
    seller: { tax_ids: [{ type: 'au_abn', value: '83914571673' }] },
  },
  'a seller with many ids': {
    charges: [FLAT],
    seller: {
      tax_ids: [
        { type: 'eu_vat', value: 'FR40303265045' },
        GERMAN_VAT_ID,
        { type: 'other', value: '22/815/08150' },
        { type: 'other', value: 'HRB 12345' },
        { type: 'ch_uid', value: 'CHE100155212' },
      ],
    },
  },
  'graduated tiers': { charges: [GRADUATED], uses: [used('token', '15000')] },
  'a single tier': { charges: [GRADUATED], uses: [used('token', '900')] },
  'every other model': {
    charges: [
      { ...TOKENS, event_name: 'volume', pricing_model: 'volume', tiers: TIERS },
      { event_name: 'mail', pricing_model: 'package', package_size: '1000', package_amount: '7.5' },
      { event_name: 'run', pricing_model: 'credit', overage_unit_amount: '0.002' },
      { ...TOKENS, event_name: 'sale', pricing_model: 'percentage', rate: '2.5', minimum_amount: '10' },
    ],
    uses: [used('volume', '10500'), used('sale', '4321'), { event_name: 'mail' }, { event_name: 'run' }],
    credit: 100,
  },
  'quantities of many decimals': {
    charges: [{ ...MINUTES, unit_amount: '0.000000000000333' }, GRADUATED],
    uses: [used('minute', '123456789.123456789012345678901234567891'), used('token', '0.000000001')],
  },
  items: {
    charges: [FLAT],
    items: [
      { quantity: '2.5', unit_amount: '80' },
      { quantity: '3', unit_amount: '0.335' },
      { unit_amount: '-10' },
    ],
  },
  discounts: {
    charges: [FLAT, GRADUATED, MINUTES],
    discounts: [LOYALTY, { name: 'Launch', percent: '12.3456', event_names: ['minute'] }],
    uses: [used('token', '900'), used('minute', '8')],
  },
  'a late line with a discount': {
    charges: [GRADUATED],
    discounts: [LOYALTY],
    uses: [used('token', '900')],
    late: [used('token', '300')],
  },
  '100 percent off': {
    charges: [FLAT, PER_UNIT],
    discounts: [{ name: 'Guest', percent: '100' }],
    uses: times(3, {}),
  },
  'an amount off and a minimum': {
    charges: [PER_UNIT],
    discounts: [REBATE],
    minimum_amount: '60',
    uses: times(41, {}),
  },
  'a minimum below zero': {
    charges: [MINUTES],
    minimum_amount: '100',
    uses: [used('minute', '80')],
    late: [used('minute', '25')],
  },
  'a discount of an amount above zero': {
    charges: [MINUTES],
    discounts: [REBATE],
    uses: [used('minute', '50')],
    late: [used('minute', '-50'), { ...used('minute', '60'), timestamp: at('02-01') }],
  },
  'an amount off all': { charges: [PER_UNIT], discounts: [REBATE], uses: times(7, {}) },
  'seats in arrears and in advance': {
    charges: [SEATS, { ...SEATS_IN_ADVANCE, event_name: 'site' }],
    discounts: [LOYALTY],
    quantities: [
      { quantities: { seat: '10', site: '3' } },
      { at: '01-16', quantities: { seat: '12.5', site: '4' } },
    ],
  },
  'large amounts': { charges: [{ ...FLAT, flat_amount: '123456789012.34' }] },
  'names of special characters': {
    charges: [{ ...FLAT, name: 'Fee <b> & "more" \uffff ]]>' }],
    seller: { name: 'Sellers & Söhne <GmbH> \ufffe', invoice_footer: 'Payable & "final".\nThank you <3' },
    customer: { name: '東京電力 & بيروت <Öko> 😀', buyer_reference: "'&<>'" },
  },
  'zero in total': { charges: [PER_UNIT] },
} as const satisfies Record<string, Situation>;

/** Issues an invoice of a new customer of the test environment, whose seller it sets. */
export function issuerOn(
  request: (path: string, sent?: Sent) => Promise<Received>,
  customers: ReturnType<typeof testCustomersOn>,
) {
  const { advance, customer, done, grant, plan, subscribe, use } = customers;
  return async (situation: Situation): Promise<Json> => {
    const { charges, currency = 'EUR', credit = 0, items = [], uses = [], late = [] } = situation;
    const { start = '01-01', discounts = [], minimum_amount } = situation;
    const [start_date, billing_anchor] = [start, '01-01'].map((day) => at(day).slice(0, 10));
    await patched('/v1/account', { name: 'Seller GmbH', ...SELLER, ...situation.seller });
    const customer_id = await customer({ currency, ...BUYER, ...situation.customer });
    const { quantities: [{ quantities } = {}, ...changes] = [] } = situation;
    for (const discount of discounts) await done('/v1/discounts', { customer_id, ...discount });
    const { id } = await subscribe(customer_id, await plan(charges, { currency, minimum_amount }), {
      start_date,
      billing_anchor,
      quantities,
    });
    for (const change of changes)
      await done(`/v1/subscriptions/${id}/quantities`, { ...change, at: at(change.at!) });
    if (credit > 0) await grant(customer_id, credit);
    for (const item of items)
      await done('/v1/invoice-items', { customer_id, description: 'Work, per hour', ...item });
    if (uses.length > 0) await use(customer_id, uses);
    const january = (await advance(customer_id, at('02-01'))).at(-1)!;
    if (late.length === 0) return january;
    await use(
      customer_id,
      late.map((event) => ({ timestamp: at('01-20'), ...event })),
    );
    return (await advance(customer_id, at('03-01')))[0]!;
  };

  async function patched(path: string, body: object): Promise<void> {
    const { status, body: answer } = await request(path, { method: 'PATCH', body });
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  }
}
