import type { Values } from '../../components/form.tsx';

/** Values of the field `bill_on`. */
export const START_DAY = 'start';
export const FIRST_OF_MONTH = 'month';

/**
 * The fields of the form as the request's body has them. A day alone begins at midnight in the customer's time zone;
 * `start_time` is a time of day in UTC. `today` is the day of the customer's clock, from which a subscription without a
 * start date starts.
 */
export function requestOf(
  { bill_on = START_DAY, start_time, start_date, ...others }: Values,
  today: string,
): Values {
  const day = start_date ?? today;
  return {
    ...others,
    ...(start_time !== undefined && { start_date: `${day}T${start_time}Z` }),
    ...(start_time === undefined && start_date !== undefined && { start_date }),
    // Of the month in which it starts: periods of a year are counted from it.
    ...(bill_on === FIRST_OF_MONTH && { billing_anchor: `${day.slice(0, 7)}-01` }),
  };
}
