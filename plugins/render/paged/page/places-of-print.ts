/** Where a printed PDF shows the parts of its document. Lengths are in points. */
export interface PlacesOfPrint {
  /** The size of each page. */
  pages: { width: number; height: number }[];
  /**
   * The destinations of links: the fragment that names each destination, the number of its page, counted from
   * 1, and its distance from the left and the top of the page area, which the margins surround.
   */
  destinations: { name: string; page: number; left: number; top: number }[];
  /**
   * The boxes of links to `PLACE_LINK` and a name, by their distance from the left and the top of the page. A
   * link with `position: fixed` has a box on each page.
   */
  marks: { name: string; page: number; left: number; top: number; width: number; height: number }[];
}
