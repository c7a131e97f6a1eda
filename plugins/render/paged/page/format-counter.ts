/**
 * Formats a number in a counter style of CSS, such as `upper-roman`; as a decimal number in other styles.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 */
export function formatCounter(number: number, style: string): string {
  const ROMAN: readonly [number, string][] = [
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ];
  const roman = (): string => {
    let rest = number;
    let text = '';
    for (const [value, letters] of ROMAN) for (; rest >= value; rest -= value) text += letters;
    return text;
  };
  const alphabetic = (): string => {
    let text = '';
    for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
      text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
    return text;
  };
  switch (style) {
    case 'decimal-leading-zero':
      return String(number).padStart(2, '0');
    case 'lower-roman':
      return roman();
    case 'upper-roman':
      return roman().toUpperCase();
    case 'lower-alpha':
    case 'lower-latin':
      return alphabetic();
    case 'upper-alpha':
    case 'upper-latin':
      return alphabetic().toUpperCase();
    default:
      return String(number);
  }
}
