package dev.mooring.live;

import java.util.List;

/**
 * Decision that needs live reads. One member of a sealed family of decisions implements this; the
 * reconciler reads the answers and decides again.
 */
public interface NeedsLive {
  /** Returns the questions: at least one, none of them answered before. */
  List<Question<?>> questions();
}
