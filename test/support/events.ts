/** A body of POST /v1/events that is good where there is a customer C1. */
export function anEvent(changes: object = {}) {
  return { event_name: 'api_call', customer_id: 'C1', idempotency_key: 'k', ...changes };
}

export function hoursAhead(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString();
}

/** Objects in objects, `levels` deep, itself the first. */
export function nested(levels: number): object {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}

/** An object with so many members. */
export function members(count: number, prefix = 'm'): object {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 1]));
}
