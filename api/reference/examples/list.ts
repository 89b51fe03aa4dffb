/** A page that is the last one. */
export function page(...data: readonly object[]): object {
  return { object: 'list', data, has_more: false, next_cursor: null };
}

/** A page that others follow. */
export function firstPage(next_cursor: string, ...data: readonly object[]): object {
  return { object: 'list', data, has_more: true, next_cursor };
}
