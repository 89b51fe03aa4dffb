import { readFile as readText } from 'node:fs/promises';
import { LineCounter, parseDocument, stringify, visit, type Document } from 'yaml';
import type { Plan } from '../src/objects/plan.ts';
import { canonical, decimal, isDecimalText } from '../src/domain/money/decimal.ts';
import { messageOf } from '../src/process/message-of.ts';
import { Failure } from './failure.ts';
import { jsonOf } from './output.ts';

/** A plan of a file, in the form of the body of `POST /v1/pricing-plans`. */
export type FiledPlan = Record<string, unknown> & { key: string };

const PLANS_MAX = 1000;

/**
 * Reads a list of plans with keys from a file of YAML, which JSON is too. Throws a Failure for a file that is no such
 * list. What the API does not take, it says itself.
 */
export async function readPlanFile(path: string): Promise<FiledPlan[]> {
  const plans = await readFile(path);
  if (!Array.isArray(plans)) throw new Failure(`${path} must be a list of plans`, 2);
  if (plans.length > PLANS_MAX)
    throw new Failure(`${path} has ${plans.length} plans, but may have ${PLANS_MAX}`, 2);
  const filed = plans.map((plan: unknown, place) => {
    if (isFiledPlan(plan)) return plan;
    throw new Failure(`plan ${place + 1} of ${path} must have a key`, 2);
  });
  const twice = filed.find(({ key }, place) => filed.findIndex((other) => other.key === key) < place);
  if (twice !== undefined) throw new Failure(`${path} has the key ${twice.key} twice`, 2);
  return filed;
}

/** The value of a file of YAML or JSON. Throws a Failure for a file that is neither, or has an inexact number. */
export async function readFile(path: string): Promise<unknown> {
  const text = await readText(path, 'utf8').catch((error: unknown) => {
    throw new Failure(`${path} cannot be read: ${messageOf(error)}`, 2);
  });
  return valueOf(path, text);
}

function isFiledPlan(plan: unknown): plan is FiledPlan {
  return typeof plan === 'object' && plan !== null && 'key' in plan && typeof plan.key === 'string';
}

function valueOf(path: string, text: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) throw new Failure(`${path} is not YAML or JSON: ${fault.message}`, 2);
  refuseInexact(path, document, lines);
  try {
    return document.toJS();
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${messageOf(error)}`, 2);
  }
}

/** Refuses numbers that would not reach the API as they are written: a price must not change by its last digit. */
function refuseInexact(path: string, document: Document.Parsed, lines: LineCounter): void {
  visit(document, {
    Scalar: (_, { value, source = '', range }) => {
      if (typeof value !== 'number' || isExact(source, `${value}`)) return;
      const { line } = lines.linePos(range![0]);
      throw new Failure(`line ${line} of ${path}: ${source} is not exact as a number; put it in quotes`, 2);
    },
  });
}

function isExact(source: string, number_text: string): boolean {
  return (
    isDecimalText(source) &&
    isDecimalText(number_text) &&
    canonical(decimal(source)) === canonical(decimal(number_text))
  );
}

/** A file of plans, which `readPlanFile` reads as the same bodies. */
export function planFile(plans: readonly FiledPlan[], { json }: { json: boolean }): string {
  const text = json
    ? `${jsonOf(plans, 2)}\n`
    : stringify(plans, { aliasDuplicateObjects: false, lineWidth: 0 });
  // Control characters, which YAML may leave as they are. JSON is YAML too.
  return /[\u007f-\u009f]/.test(text) ? `${jsonOf(plans, 2)}\n` : text;
}

/** The body that makes a version equal to the plan: without what the API adds, and what it fills in. */
export function bodyOf(plan: Plan & { key: string }): FiledPlan {
  const { key, name, currency, interval, interval_count, pricing_model, minimum_amount } = plan;
  const { grants, metadata } = plan;
  return {
    key,
    name,
    currency,
    interval,
    interval_count,
    ...present({ pricing_model }),
    charges: plan.charges.map(chargeBody),
    ...present({ minimum_amount }),
    ...(grants.length === 0 ? {} : { grants: grants.map(grantBody) }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

function chargeBody({ id: _, aggregation, prices, ...fields }: Plan['charges'][number]): object {
  const counts = aggregation.type === 'count';
  return {
    ...present({ ...fields, aggregation: counts ? null : aggregation }),
    ...(prices === null ? {} : { prices: prices.map(priceBody) }),
  };
}

function priceBody({ default: is_default, ...price }: { default: boolean }): object {
  return present({ ...price, default: is_default ? true : null });
}

function grantBody({ prorate, ...grant }: Plan['grants'][number]): object {
  return present({ ...grant, prorate: prorate ? true : null });
}

/** The members that are not null. */
function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
