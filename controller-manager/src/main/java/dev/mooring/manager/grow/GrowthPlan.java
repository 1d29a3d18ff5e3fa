package dev.mooring.manager.grow;

import java.util.List;

public sealed interface GrowthPlan {
  /**
   * Steps in their order; none if the growth is complete.
   *
   * @param template name of the claim template
   */
  record Steps(String template, List<GrowthStep> steps) implements GrowthPlan {}

  /**
   * Nothing may be written.
   *
   * @param problem one line with the object, its value and the remedy
   */
  record Impossible(String problem) implements GrowthPlan {}
}
