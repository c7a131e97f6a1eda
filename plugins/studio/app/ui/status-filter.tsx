import { setQuery } from '../router.ts';
import { Select } from './controls.tsx';

/** Renders the choice of a status, which the query of the page keeps. Another choice shows the first page. */
export function StatusFilter(props: {
  value: string;
  choices: readonly (readonly [status: string, label: string])[];
}) {
  return (
    <Select
      label="Status"
      isBare
      value={props.value}
      choices={[['', 'Any status'], ...props.choices]}
      onValue={(value) => {
        setQuery('offset', '');
        setQuery('status', value);
      }}
    />
  );
}
