/** The last page of a list. */
export function page(...data: readonly object[]): object {
  return { object: 'list', data, has_more: false, next_cursor: null };
}

/** A page of a list that is not the last. */
export function firstPage(next_cursor: string, ...data: readonly object[]): object {
  return { object: 'list', data, has_more: true, next_cursor };
}
