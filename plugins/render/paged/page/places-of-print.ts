/** Where a printed PDF shows the parts of its document. Lengths are in points. */
export interface PlacesOfPrint {
  /** The size of each page. */
  pages: { width: number; height: number }[];
  /**
   * The destinations of links: the fragment that names each destination, the number of its page, counted from
   * 1, and its distance from the left and the top edge of the page.
   */
  destinations: { name: string; page: number; left: number; top: number }[];
}
