/** Members of a form as Stripe reads it: texts, objects and lists. */
export type Form = { [member: string]: FormValue };
type FormValue = string | Form;

/** The form in a body or query, such as `metadata[invoice_id]=inv_1&expand[0]=setup_intent`. A list is an object by its places. */
export function formOf(encoded: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(encoded)) {
    const [first = '', ...rest] = name.split(/[[\]]+/).filter((part) => part !== '');
    place(form, [first, ...rest], value);
  }
  return form;
}

function place(form: Form, [member = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    form[member] = value;
    return;
  }
  const inner = form[member];
  const within = typeof inner === 'object' ? inner : {};
  form[member] = within;
  place(within, rest, value);
}

/** A text of a form; null if it is absent. */
export function textIn(form: Form, member: string): string | null {
  const value = form[member];
  return typeof value === 'string' ? value : null;
}

/** The texts of an object or a list of a form. */
export function textsIn(form: Form, member: string): Record<string, string> {
  const value = form[member];
  if (typeof value !== 'object') return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  );
}
