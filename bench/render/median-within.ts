/**
 * Writes the median with its 95 % confidence interval, from the order statistics at 1.96 standard deviations
 * of the binomial distribution.
 */
export function medianWithin(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  // 1.96 standard deviations, each of half the square root of the count.
  const reach = 0.98 * Math.sqrt(sorted.length);
  const at = (index: number) =>
    sorted[Math.min(Math.max(Math.round(index), 0), sorted.length - 1)]?.toFixed(3);
  const middle = (sorted.length - 1) / 2;
  return `${at(middle)} (${at(middle - reach)} to ${at(middle + reach)})`;
}
