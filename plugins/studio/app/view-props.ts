/** Properties of every view. `params` are the parts of its path. */
export interface ViewProps {
  params: string[];
}
