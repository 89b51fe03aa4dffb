import type { Examples } from '../../routing/route.ts';
import { page } from './list.ts';

export const list: Examples = {
  'Attempts under way': { query: { status: 'processing' }, status: 200, response: page() },
};
