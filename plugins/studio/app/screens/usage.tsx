import { useState } from 'preact/hooks';
import { get } from '../data/api.ts';
import { capitalise, formatCount, formatDay, formatPeriod } from '../data/format.ts';
import { useResource } from '../data/resource.ts';
import type { List, Usage, UsageDay } from '../data/types.ts';
import { Select } from '../ui/controls.tsx';
import { UsageChart } from '../ui/chart.tsx';
import { Loaded, ViewHead } from '../ui/states.tsx';

interface Month {
  month: string;
  used: number;
  by_day: UsageDay[];
}

const monthName = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Renders the quota and the number of documents per day. */
export function UsageView() {
  const usage = useResource('usage', (signal) => get<Usage>('/v1/usage', signal));
  const months = useResource('usage months', (signal) =>
    get<List<Month>>('/studio/api/usage?months=12', signal),
  );
  const [chosen, setChosen] = useState('');
  return (
    <div class="page">
      <ViewHead title="Usage" text="The PDFs that you make count against the quota of your plan." />
      <Loaded from={usage}>
        {({ used, limit, remaining, period, rate_limit, plan }) => (
          <section class="figures" aria-label="This month">
            <div class="figure">
              <span>This month</span>
              <strong>{formatCount(used)}</strong>
              <small>{limit === null ? 'no monthly limit' : `of ${formatCount(limit)} PDFs`}</small>
              {limit !== null && (
                <div
                  class="progress"
                  role="progressbar"
                  aria-label="Used part of the quota"
                  aria-valuemin={0}
                  aria-valuemax={limit}
                  aria-valuenow={Math.min(used, limit)}
                >
                  <span class="progress-done" style={{ width: `${Math.min(100, (used / limit) * 100)}%` }} />
                </div>
              )}
            </div>
            <div class="figure">
              <span>Remaining</span>
              <strong>{remaining === null ? 'Unlimited' : formatCount(remaining)}</strong>
              <small>the month ends on {formatDay(period.end)}</small>
            </div>
            <div class="figure">
              <span>Plan</span>
              <strong>{capitalise(plan)}</strong>
              <small>
                {formatCount(rate_limit.limit)} requests per {formatPeriod(rate_limit.window_seconds)}
              </small>
            </div>
          </section>
        )}
      </Loaded>
      <section>
        <Loaded from={months}>
          {({ data }) => {
            const month = data.find((entry) => entry.month === chosen) ?? data[0];
            if (!month) return <p class="note">There are no documents yet.</p>;
            return (
              <>
                <header class="section-head">
                  <h2>Documents per day</h2>
                  <Select
                    label="Month"
                    isBare
                    value={month.month}
                    choices={data.map((entry) => [entry.month, nameOf(entry.month)] as const)}
                    onValue={setChosen}
                  />
                </header>
                <div class="panel chart-panel">
                  <UsageChart days={allDays(month)} />
                </div>
              </>
            );
          }}
        </Loaded>
      </section>
    </div>
  );
}

function nameOf(month: string): string {
  return monthName.format(new Date(`${month}-01T00:00:00Z`));
}

/** Lists every day of a month, including days without documents. */
function allDays({ month, by_day: known }: Month): UsageDay[] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const byDate = new Map(known.map((day) => [day.date, day]));
  return Array.from({ length: count }, (_, index) => {
    const date = `${month}-${String(index + 1).padStart(2, '0')}`;
    return byDate.get(date) ?? { date, completed: 0, failed: 0 };
  });
}
