package dev.mooring.live;

import java.util.List;

/**
 * A decision that cannot be taken from caches. A sealed family of decisions has one member that
 * implements this; whoever reconciles asks the questions and decides again with the answers.
 */
public interface NeedsLive {
  /** What has to be asked, all of it new; at least one. */
  List<Question<?>> questions();
}
