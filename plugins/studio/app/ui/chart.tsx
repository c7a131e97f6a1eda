import { formatCount, formatDay } from '../data/format.ts';
import type { UsageDay } from '../data/types.ts';

const HEIGHT_PX = 160;
/** The number of days between two labels of the axis. */
const LABEL_EVERY = 7;

/** Renders the number of documents per day as columns, with a table for assistive technology. */
export function UsageChart({ days }: { days: UsageDay[] }) {
  const peak = Math.max(4, ...days.map(({ completed, failed }) => completed + failed));
  const top = roundUp(peak);
  const heightOf = (count: number) => `${(count / top) * HEIGHT_PX}px`;
  return (
    <figure class="chart">
      <div class="chart-plot" aria-hidden="true">
        <div class="chart-lines">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>
              <b>{formatCount(value)}</b>
            </span>
          ))}
        </div>
        <div class="chart-columns">
          {days.map(({ date, completed, failed }) => (
            <div
              key={date}
              class="chart-column"
              title={`${formatDay(date)}: ${completed} completed, ${failed} failed`}
            >
              <span class="chart-failed" style={{ height: heightOf(failed) }} />
              <span class="chart-completed" style={{ height: heightOf(completed) }} />
            </div>
          ))}
        </div>
      </div>
      <div class="chart-days" aria-hidden="true">
        {days.map(({ date }, index) => (
          <span key={date}>{index % LABEL_EVERY === 0 && index + 1}</span>
        ))}
      </div>
      <figcaption class="chart-legend">
        <span class="key-completed">Completed</span>
        <span class="key-failed">Failed</span>
      </figcaption>
      <table class="visually-hidden">
        <caption>Documents per day</caption>
        <tbody>
          {days
            .filter(({ completed, failed }) => completed + failed > 0)
            .map(({ date, completed, failed }) => (
              <tr key={date}>
                <th scope="row">{formatDay(date)}</th>
                <td>{completed} completed</td>
                <td>{failed} failed</td>
              </tr>
            ))}
        </tbody>
      </table>
    </figure>
  );
}

/** Returns a round number of at least `peak`, whose half labels the middle of the axis. */
function roundUp(peak: number): number {
  const size = 10 ** Math.floor(Math.log10(peak));
  const step = [1, 2, 4, 5, 10].find((factor) => factor * size >= peak) ?? 10;
  return Math.max(2, step * size);
}
