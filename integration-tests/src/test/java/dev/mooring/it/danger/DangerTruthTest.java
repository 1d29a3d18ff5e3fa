package dev.mooring.it.danger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.forecast.ClusterSlice;
import dev.mooring.forecast.ForecastStep;
import dev.mooring.forecast.ForecastTerms;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.danger.ClusterForecast;
import dev.mooring.manager.danger.ClusterForecast.Outcome;
import dev.mooring.manager.danger.DangerAct;
import dev.mooring.manager.danger.DangerSearch;
import dev.mooring.manager.danger.DangerSearch.TakenAct;
import dev.mooring.manager.danger.DangerState;
import dev.mooring.manager.danger.SearchInput;
import dev.mooring.manager.lifecycle.ManagerConfig;
import dev.mooring.manager.simulate.ClusterSimulation;
import dev.mooring.manager.simulate.CopiedObject;
import dev.mooring.manager.simulate.SimulatedActs;
import dev.mooring.protection.explain.ProtectionForecast;
import dev.mooring.reconcile.Compat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Compares forecasts with the controllers themselves, which run in simulated time. {@code
 * -Dmooring.danger.truth} sets the number of seeded clusters.
 */
@Timeout(3600)
class DangerTruthTest {
  private static final int RANDOM_SEQUENCES = 2;

  private static boolean isDestroyed(
      List<CopiedObject> objects, List<DangerAct> acts, Compat compat) throws Exception {
    ManagerConfig config =
        RunFlags.config(
            List.of(
                "--mode=replace",
                "--endpoints=off",
                "--leader-elect=false",
                "--compat=" + (compat == Compat.KUBERNETES ? "kcm" : "none")));
    return !new ClusterSimulation(
            new ClusterSimulation.Request(
                objects,
                new SimulatedActs(objects).changes(acts),
                config,
                config,
                Duration.ofMinutes(6),
                List.of()),
            _ -> {})
        .runInOrder()
        .isEmpty();
  }

  private record Forecast(List<DangerAct> acts, boolean destroys) {}

  /** Takes random acts, each of which changes something. */
  private static Forecast guess(SearchInput input, ClusterForecast forecast, Random random) {
    Outcome outcome = forecast.settle(input.start());
    List<DangerAct> takenActs = new ArrayList<>();
    while (takenActs.size() < DangerSearch.MAX_ACTS && outcome.destroyed().isEmpty()) {
      List<DangerAct> acts = AllActs.of(input, outcome.state());
      DangerAct act = acts.get(random.nextInt(acts.size()));
      Outcome next = forecast.after(outcome.state(), act);
      boolean isChange = next.destroyed().isPresent() || !next.state().equals(outcome.state());
      if (isChange) {
        takenActs.add(act);
        outcome = next;
      }
    }
    return new Forecast(takenActs, outcome.destroyed().isPresent());
  }

  private static String text(List<DangerAct> acts) {
    return String.join("; ", acts.stream().map(DangerAct::text).toList());
  }

  private static List<String> compare(
      int seed, Function<ForecastTerms, List<Function<DangerState, Optional<ForecastStep>>>> rules)
      throws Exception {
    List<String> differences = new ArrayList<>();
    List<CopiedObject> objects = SeededCluster.of(seed, SeededCluster.Shapes.SIMULATED);
    SearchInput input = DangerSearchTest.input(seed, SeededCluster.Shapes.SIMULATED);
    ForecastTerms terms = DangerSearchTest.terms(seed);
    ClusterForecast forecast = new ClusterForecast(input, terms, rules.apply(terms));
    List<Forecast> forecasts = new ArrayList<>();
    new DangerSearch(input, forecast, _ -> 0)
        .find()
        .destruction()
        .map(acts -> acts.stream().map(TakenAct::act).toList())
        .ifPresent(acts -> {
          forecasts.add(new Forecast(acts, true));
          if (seed > 0) {
            forecasts.add(new Forecast(acts.subList(0, acts.size() - 1), false));
          }
        });
    Random random = new Random(seed);
    for (int i = 0; i < RANDOM_SEQUENCES && seed > 0; i++) {
      forecasts.add(guess(input, forecast, random));
    }
    for (Forecast expected : forecasts) {
      if (isDestroyed(objects, expected.acts(), terms.compat()) != expected.destroys()) {
        differences.add(
            "seed %s: %s: forecast %s".formatted(seed, text(expected.acts()), expected.destroys()));
      }
    }
    return differences;
  }

  @Test
  void forecast_seededClusters_comesTrueWithControllers() throws Exception {
    List<String> differences = new ArrayList<>();
    for (int seed = 0; seed < Integer.getInteger("mooring.danger.truth", 1); seed++) {
      differences.addAll(compare(seed, ClusterForecast::controllers));
    }
    assertThat(differences).isEmpty();
  }

  /** Plants a rule that releases claims although pods use them. */
  private static List<Function<DangerState, Optional<ForecastStep>>> withoutPods(
      ForecastTerms terms) {
    ProtectionForecast protection = new ProtectionForecast(terms);
    List<Function<DangerState, Optional<ForecastStep>>> rules = new ArrayList<>();
    rules.add(state -> {
      ClusterSlice objects = state.objects();
      ClusterSlice unused =
          new ClusterSlice(
              objects.claims(), objects.volumes(), Collections.emptySortedMap(), objects.classes());
      return protection
          .next(unused)
          .map(step -> {
            ClusterSlice after = step.after();
            return ForecastStep.change(
                step.actor(),
                step.text(),
                new ClusterSlice(
                    after.claims(), after.volumes(), objects.pods(), objects.classes()));
          });
    });
    rules.addAll(ClusterForecast.controllers(terms));
    return rules;
  }

  @Test
  void forecast_ruleIgnoresPods_differsFromControllers() throws Exception {
    for (int seed = 0; seed < 100; seed++) {
      SearchInput input = DangerSearchTest.input(seed, SeededCluster.Shapes.SIMULATED);
      ForecastTerms terms = DangerSearchTest.terms(seed);
      List<DangerAct> wrong =
          new DangerSearch(input, new ClusterForecast(input, terms, withoutPods(terms)), _ -> 0)
              .find().destruction().orElseThrow().stream().map(TakenAct::act).toList();
      Outcome outcome = new ClusterForecast(input, terms).settle(input.start());
      for (DangerAct act : wrong) {
        outcome = new ClusterForecast(input, terms).after(outcome.state(), act);
      }
      if (outcome.destroyed().isEmpty()) {
        assertThat(
                isDestroyed(
                    SeededCluster.of(seed, SeededCluster.Shapes.SIMULATED), wrong, terms.compat()))
            .as(text(wrong))
            .isFalse();
        return;
      }
    }
    throw new AssertionError("no seed shows the planted rule");
  }
}
