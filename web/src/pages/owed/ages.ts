/** The ages of what is owed, oldest last, in words that stand in a column and below a bar. */
export const AGES = [
  ['current', 'Not due'],
  ['days_1_30', '1–30'],
  ['days_31_60', '31–60'],
  ['days_61_90', '61–90'],
  ['days_over_90', 'Over 90'],
] as const;
