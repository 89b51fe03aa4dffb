import type { Examples } from '../../routing/route.ts';
import { renamed } from './customers.ts';
import { open } from './invoice.ts';
import { page } from './list.ts';

export const search: Examples = {
  'A customer by a part of its name': { query: { q: 'LIMITED' }, status: 200, response: page(renamed) },
  'An invoice by its number': { query: { q: 'INV-000001' }, status: 200, response: page(open) },
};
