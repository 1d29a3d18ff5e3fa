package dev.mooring.manager.danger;

import dev.mooring.binder.explain.BinderForecast;
import dev.mooring.forecast.ForecastStep;
import dev.mooring.forecast.ForecastTerms;
import dev.mooring.model.Volume;
import dev.mooring.protection.explain.ProtectionForecast;
import dev.mooring.provisioner.explain.ProvisionerForecast;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs the forecasts of all controllers after an act, until nothing changes. */
public final class ClusterForecast {
  private static final int MAX_STEPS = 500;

  /**
   * State at rest.
   *
   * @param steps what happened, as "actor text"
   * @param destroyed volume whose data was destroyed; the forecast ends there
   */
  public record Outcome(DangerState state, List<String> steps, Optional<Volume> destroyed) {}

  private final ActEffect effects;
  private final KubernetesForecast kubernetes;
  private final List<Function<DangerState, Optional<ForecastStep>>> controllers;

  public ClusterForecast(SearchInput input, ForecastTerms terms) {
    this(input, terms, controllers(terms));
  }

  public ClusterForecast(
      SearchInput input,
      ForecastTerms terms,
      List<Function<DangerState, Optional<ForecastStep>>> controllers) {
    this.effects = new ActEffect(input, terms.now().getEpochSecond());
    this.kubernetes = new KubernetesForecast(input, effects);
    this.controllers = List.copyOf(controllers);
  }

  public static List<Function<DangerState, Optional<ForecastStep>>> controllers(
      ForecastTerms terms) {
    BinderForecast binder = new BinderForecast(terms);
    ProtectionForecast protection = new ProtectionForecast(terms);
    ProvisionerForecast provisioner = new ProvisionerForecast(terms);
    return List.of(
        state -> protection.next(state.objects()),
        state -> binder.next(state.objects()),
        state -> provisioner.next(state.objects(), state.neverBound()));
  }

  public Outcome after(DangerState state, DangerAct act) {
    return settle(effects.apply(state, act));
  }

  public Outcome settle(DangerState start) {
    DangerState state = start;
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < MAX_STEPS; i++) {
      Optional<KubernetesForecast.Step> kubernetesStep = kubernetes.next(state);
      if (kubernetesStep.isPresent()) {
        texts.add(kubernetesStep.get().actor() + " " + kubernetesStep.get().text());
        state = kubernetesStep.get().after();
        continue;
      }
      Optional<ForecastStep> step = nextOfControllers(state);
      if (step.isEmpty()) {
        return new Outcome(state, List.copyOf(texts), Optional.empty());
      }
      texts.add(step.get().actor() + " " + step.get().text());
      state = state.with(step.get().after());
      if (step.get().destroyed().isPresent()) {
        return new Outcome(state, List.copyOf(texts), step.get().destroyed());
      }
    }
    throw new IllegalStateException(
        "the forecast does not end: " + texts.subList(MAX_STEPS - 5, MAX_STEPS));
  }

  private Optional<ForecastStep> nextOfControllers(DangerState state) {
    for (Function<DangerState, Optional<ForecastStep>> controller : controllers) {
      Optional<ForecastStep> step = controller.apply(state);
      if (step.isPresent()) {
        return step;
      }
    }
    return Optional.empty();
  }
}
