/**
 * The letters of times by their names in English, of zones whose clocks change, as IANA has them. Of all other zones
 * IANA has offsets alone, such as +10:30 of Lord Howe, whatever letters a browser knows.
 */
const LETTERS: Readonly<Record<string, string>> = {
  'Greenwich Mean Time': 'GMT',
  'British Summer Time': 'BST',
  'Irish Standard Time': 'IST',
  'Western European Standard Time': 'WET',
  'Western European Summer Time': 'WEST',
  'Central European Standard Time': 'CET',
  'Central European Summer Time': 'CEST',
  'Eastern European Standard Time': 'EET',
  'Eastern European Summer Time': 'EEST',
  'Israel Standard Time': 'IST',
  'Israel Daylight Time': 'IDT',
  'Newfoundland Standard Time': 'NST',
  'Newfoundland Daylight Time': 'NDT',
  'Atlantic Standard Time': 'AST',
  'Atlantic Daylight Time': 'ADT',
  'Eastern Standard Time': 'EST',
  'Eastern Daylight Time': 'EDT',
  'Cuba Standard Time': 'CST',
  'Cuba Daylight Time': 'CDT',
  'Central Standard Time': 'CST',
  'Central Daylight Time': 'CDT',
  'Mountain Standard Time': 'MST',
  'Mountain Daylight Time': 'MDT',
  'Mexican Pacific Standard Time': 'MST',
  'Mexican Pacific Daylight Time': 'MDT',
  'Pacific Standard Time': 'PST',
  'Pacific Daylight Time': 'PDT',
  'Alaska Standard Time': 'AKST',
  'Alaska Daylight Time': 'AKDT',
  'Hawaii-Aleutian Standard Time': 'HST',
  'Hawaii-Aleutian Daylight Time': 'HDT',
  'Australian Central Standard Time': 'ACST',
  'Australian Central Daylight Time': 'ACDT',
  'Australian Eastern Standard Time': 'AEST',
  'Australian Eastern Daylight Time': 'AEDT',
  'New Zealand Standard Time': 'NZST',
  'New Zealand Daylight Time': 'NZDT',
};

const DAY_MS = 86_400_000;

/**
 * The offset of an instant whose day and time of day occur twice in a time zone, because clocks were set back: "CEST"
 * or "CET" or, where the zone has no letters, "+11:00" or "+10:30". Null for a time of day that occurs once (billing.md
 * 6).
 */
export function offsetInWords(instant: string, timezone: string): string | null {
  if (timezone === 'UTC') return null;
  const clock = clockOf(timezone);
  const at = Date.parse(instant);
  const other = sameTimeAs(at, clock);
  if (other === null) return null;
  const [letters, letters_of_other] = [at, other].map((time) => LETTERS[clock.name(time)]);
  const are_letters = letters !== undefined && letters_of_other !== undefined && letters !== letters_of_other;
  return are_letters ? letters : clock.offset(at);
}

/** The other instant that the clock shows as the same day and time of day, within a day; null if there is none. */
function sameTimeAs(at: number, { offset }: Clock): number | null {
  const own_offset = offset(at);
  for (const other of [offset(at - DAY_MS), offset(at + DAY_MS)]) {
    const twin = at + millisecondsOf(own_offset) - millisecondsOf(other);
    if (other !== own_offset && offset(twin) === other) return twin;
  }
  return null;
}

/** Name in English, and offset from UTC as "+10:30", of the time that is in force at an instant in milliseconds. */
type Clock = { name: (at: number) => string; offset: (at: number) => string };

/** Clocks by time zone: a format takes longer to make than to use. */
const CLOCKS = new Map<string, Clock>();

function clockOf(timezone: string): Clock {
  const known = CLOCKS.get(timezone);
  if (known !== undefined) return known;
  const [name, offset] = (['long', 'longOffset'] as const).map((timeZoneName) => {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName });
    return (at: number) => format.formatToParts(at).find(({ type }) => type === 'timeZoneName')!.value;
  });
  // GMT alone is the offset 0.
  const clock = { name: name!, offset: (at: number) => offset!(at).slice(3) || '+00:00' };
  CLOCKS.set(timezone, clock);
  return clock;
}

/** The milliseconds of an offset such as -03:30; some of the 19th century have seconds. */
function millisecondsOf(offset: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number);
  const milliseconds = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  return offset.startsWith('-') ? -milliseconds : milliseconds;
}
