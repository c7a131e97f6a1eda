/** The properties of every view. `params` are the variable parts of its path. */
export interface ViewProps {
  params: string[];
}
