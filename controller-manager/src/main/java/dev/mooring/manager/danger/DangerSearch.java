package dev.mooring.manager.danger;

import dev.mooring.forecast.ForecastTerms;
import dev.mooring.manager.danger.ClusterForecast.Outcome;
import dev.mooring.storage.decide.Condemnation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Breadth-first search for the shortest sequence of acts after which the data is destroyed. Of
 * equally short sequences it returns the most ordinary one.
 */
public final class DangerSearch {
  public static final int MAX_ACTS = 3;

  /**
   * An act and its consequences.
   *
   * @param consequences what the controllers do, as sentences without a full stop
   */
  public record TakenAct(DangerAct act, List<String> consequences) {}

  private record Path(List<TakenAct> acts, DangerState state) {}

  /**
   * Result of a search.
   *
   * @param destruction the shortest sequence that destroys the data; empty if there is none
   * @param condemnation the shortest sequence after which the data is destroyed when a delay has
   *     passed; empty if there is none, or if the data is destroyed first
   */
  public record Found(Optional<List<TakenAct>> destruction, Optional<List<TakenAct>> condemnation) {
    static final Found ALREADY = new Found(Optional.of(List.of()), Optional.empty());
  }

  private final ActList acts;
  private final ClusterForecast forecast;
  private final ToIntFunction<DangerState> bound;
  private final SearchInput input;

  public DangerSearch(SearchInput input, ForecastTerms terms) {
    this(input, new ClusterForecast(input, terms), new ActBound(input)::minimum);
  }

  /**
   * @param bound a number of acts that the destruction needs at least
   */
  public DangerSearch(
      SearchInput input, ClusterForecast forecast, ToIntFunction<DangerState> bound) {
    this.input = input;
    this.acts = new ActList(input);
    this.forecast = forecast;
    this.bound = bound;
  }

  public Found find() {
    Outcome atRest = forecast.settle(input.start());
    if (atRest.destroyed().isPresent()) {
      return Found.ALREADY;
    }
    Optional<List<TakenAct>> condemnation = Optional.empty();
    Set<DangerState> visited = new HashSet<>();
    visited.add(atRest.state());
    List<Path> frontier = List.of(new Path(List.of(), atRest.state()));
    for (int actCount = 1; actCount <= MAX_ACTS; actCount++) {
      List<Path> next = new ArrayList<>();
      for (Path path : frontier) {
        if (actCount - 1 + bound.applyAsInt(path.state()) > MAX_ACTS) {
          continue;
        }
        for (DangerAct act : acts.of(path.state())) {
          Outcome outcome = forecast.after(path.state(), act);
          List<TakenAct> sequence = append(path.acts(), new TakenAct(act, outcome.steps()));
          if (outcome.destroyed().isPresent()) {
            return new Found(Optional.of(sequence), condemnation);
          }
          if (condemnation.isEmpty() && isCondemned(outcome.state())) {
            condemnation = Optional.of(sequence);
          }
          if (actCount < MAX_ACTS && visited.add(outcome.state())) {
            next.add(new Path(sequence, outcome.state()));
          }
        }
      }
      frontier = next;
    }
    return new Found(Optional.empty(), condemnation);
  }

  private static boolean isCondemned(DangerState state) {
    return state.objects().volumes().values().stream().anyMatch(Condemnation::isCondemned);
  }

  private static List<TakenAct> append(List<TakenAct> acts, TakenAct act) {
    List<TakenAct> extended = new ArrayList<>(acts);
    extended.add(act);
    return List.copyOf(extended);
  }
}
