import type { ComponentChildren } from 'preact';
import { SelectionCheck, type Selection } from './selection.tsx';

/** A column of a table: its heading and the content of its cells. */
export interface Column<T> {
  label: string;
  /** Aligns numbers and dates to the right. */
  isNumber?: boolean;
  /** Hides the column in narrow windows. */
  isWideOnly?: boolean;
  /** Shortens long texts, so that the other columns have room. A `title` has the whole text. */
  isShortened?: boolean;
  /** Holds a menu or buttons. Only assistive technology presents the heading. */
  isActions?: boolean;
  cell: (row: T) => ComponentChildren;
}

/** Renders rows as a table. Set `hasMenus` if cells open menus, which the frame would otherwise clip. */
export function Table<T>(props: {
  rows: T[];
  columns: Column<T>[];
  keyOf: (row: T) => string;
  /** Tells whether a row is no longer in use, such as a revoked key. */
  isOff?: (row: T) => boolean;
  hasMenus?: boolean;
  isCompact?: boolean;
  /** The name of a table without links and buttons. It takes the focus, so that the keyboard can scroll it. */
  focusLabel?: string;
  /** Lets people select rows, each of which has a name. */
  selection?: Selection<T> & { nameOf: (row: T) => string };
}) {
  const { rows, columns, keyOf, isOff, hasMenus, isCompact, focusLabel, selection } = props;
  return (
    <div
      class={hasMenus ? 'table-frame overflows' : 'table-frame'}
      {...(focusLabel !== undefined && { tabIndex: 0, role: 'group', 'aria-label': focusLabel })}
    >
      <table class={isCompact ? 'table compact' : 'table'}>
        <thead>
          <tr>
            {selection && (
              <th class="select-cell">
                <SelectionCheck selection={selection} rows={rows} label="Select all rows" />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.label} scope="col" class={classOf({ ...column, isActions: false })}>
                {column.isActions ? <span class="visually-hidden">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={isOff?.(row) ? 'is-off' : undefined}>
              {selection && (
                <td class="select-cell">
                  <SelectionCheck
                    selection={selection}
                    rows={[row]}
                    label={`Select ${selection.nameOf(row)}`}
                  />
                </td>
              )}
              {columns.map((column) => (
                <td key={column.label} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf({
  isNumber,
  isWideOnly,
  isShortened,
  isActions,
}: Pick<Column<never>, 'isNumber' | 'isWideOnly' | 'isShortened' | 'isActions'>): string | undefined {
  const names = [
    isNumber && 'number',
    isWideOnly && 'wide-only',
    isShortened && 'shortened',
    isActions && 'actions',
  ];
  return names.filter(Boolean).join(' ') || undefined;
}
