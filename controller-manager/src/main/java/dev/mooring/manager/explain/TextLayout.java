package dev.mooring.manager.explain;

/**
 * Choices for the text of explanations.
 *
 * @param showsTests whether every test of every candidate is shown
 * @param hasColours whether the text contains colours of a terminal
 * @param now current time in seconds since the epoch
 */
public record TextLayout(boolean showsTests, boolean hasColours, long now) {
  public static TextLayout plain(long now) {
    return new TextLayout(false, false, now);
  }
}
