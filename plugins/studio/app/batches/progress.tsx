/** Renders a bar that shows how much of a whole is completed, and how much has failed. */
export function Progress(props: {
  label: string;
  total: number;
  completed: number;
  failed?: number;
  canceled?: number;
}) {
  const { label, total, completed, failed = 0, canceled = 0 } = props;
  const share = (count: number) => ({ width: `${(count / total) * 100}%` });
  return (
    <div
      class="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={completed + failed + canceled}
    >
      <span class="progress-done" style={share(completed)} />
      <span class="progress-failed" style={share(failed)} />
    </div>
  );
}
