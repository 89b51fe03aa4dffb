import { hasColumns, type Columns } from './bank-rows.ts';
import type { BankTable } from './bank-table.ts';

const KEPT_AS = 'tidemark-bank-columns';

/** The columns that were named last in this browser, if a file has them all; else null. */
export function keptColumns(table: BankTable): Columns | null {
  try {
    const kept: Columns | null = JSON.parse(localStorage.getItem(KEPT_AS) ?? 'null');
    return kept !== null && hasColumns(table, kept) ? kept : null;
  } catch {
    return null;
  }
}

/** Keeps columns for the next file. Without storage, as in a private window, they are named again. */
export function keepColumns(columns: Columns): void {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(columns));
  } catch {
    return;
  }
}
