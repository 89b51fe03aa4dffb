import type { ComponentChildren } from 'preact';
import type { Pages } from '../api/use-pages.ts';
import { Loading } from './loading.tsx';

/**
 * A column: its heading, and the cell for an item. Numbers are aligned right. In a list on a phone, a `figure` is at
 * the right of the first line, and what is `hidden` is on the page of the item alone.
 */
export type Column<Item> = {
  title: string;
  show: (item: Item) => ComponentChildren;
  is_number?: boolean;
  on_phone?: 'figure' | 'hidden';
};

type TableProps<Item> = {
  /** Names the table for screen readers. */
  caption: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** A list of objects that have pages: on a phone each row has two lines. */
  is_list?: boolean;
};

/**
 * Items as rows. A wide table scrolls sideways in its own box, also by keyboard; on a phone each item is a card with
 * its titles beside its values, or two lines. The roles are explicit, because browsers drop them once CSS changes the
 * layout of a table.
 */
export function Table<Item>({ caption, columns, items, keyOf, is_list = false }: TableProps<Item>) {
  return (
    <div
      class={is_list ? 'table-scroll list' : 'table-scroll'}
      tabIndex={0}
      role="region"
      aria-label={caption}
    >
      <table role="table">
        <caption class="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, is_number = false }) => (
              <th key={title} scope="col" role="columnheader" class={is_number ? 'right' : ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map((item) => (
            <tr key={keyOf(item)} role="row">
              {columns.map(({ title, show, is_number = false, on_phone = '' }) => (
                <td
                  key={title}
                  role="cell"
                  data-title={title}
                  class={`${is_number ? 'right' : ''} ${on_phone}`.trim()}
                >
                  {show(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type PagedTableProps<Item> = Omit<TableProps<Item>, 'items'> & {
  pages: Pages<Item>;
  /** An Empty, which replaces a table without rows. */
  empty: ComponentChildren;
  /** Labels of the ways to the pages before and after, of a list that is not newest first. */
  turns?: Turns;
};

/** A list of the API as a table, page by page. */
export function PagedTable<Item>({ pages, empty, turns, ...table }: PagedTableProps<Item>) {
  return (
    <Loading loaded={pages.loaded}>
      {({ data }) => (
        <>
          {data.length === 0 ? empty : <Table {...table} items={data} />}
          <PageButtons pages={pages} caption={table.caption} turns={turns} />
        </>
      )}
    </Loading>
  );
}

type Turns = readonly [before: string, after: string];
const BY_AGE: Turns = ['← Newer', 'Older →'];

type PageButtonsProps<Item> = { pages: Pages<Item>; caption: string; turns?: Turns | undefined };

/** The ways to the pages before and after this one; nothing where there is one page. */
export function PageButtons<Item>({
  pages: { newer, older },
  caption,
  turns: [before, after] = BY_AGE,
}: PageButtonsProps<Item>) {
  if (newer === null && older === null) return null;
  return (
    <nav class="page-buttons" aria-label={`Pages: ${caption}`}>
      <button type="button" disabled={newer === null} onClick={() => newer?.()}>
        {before}
      </button>
      <button type="button" disabled={older === null} onClick={() => older?.()}>
        {after}
      </button>
    </nav>
  );
}
