import type { Examples } from '../../routing/route.ts';

export const charge: Examples = {};
export const read: Examples = {};
export const list: Examples = {};
