/** Reads the value of a metric of a service, such as `renders_running`; 0 before the metric has a value. */
export async function readMetric({ url }: { url: string }, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`platen_${name} `));
  return Number(line?.split(' ').at(-1) ?? 0);
}
