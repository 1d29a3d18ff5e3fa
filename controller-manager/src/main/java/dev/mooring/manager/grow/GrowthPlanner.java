package dev.mooring.manager.grow;

import dev.mooring.manager.grow.GrowthStep.AwaitDeletion;
import dev.mooring.manager.grow.GrowthStep.CreateStatefulSet;
import dev.mooring.manager.grow.GrowthStep.DeleteStatefulSet;
import dev.mooring.manager.grow.GrowthStep.FinishStatefulSet;
import dev.mooring.manager.grow.GrowthStep.GrowClaim;
import dev.mooring.manager.grow.GrowthStep.SaveStatefulSet;
import dev.mooring.manager.grow.StoredStatefulSet.ClaimTemplate;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Plans a growth from the current state of the cluster alone, so that a second run continues an
 * interrupted one. The claims grow before the template: a refused size changes no template.
 */
public final class GrowthPlanner {
  private final GrowthRequest request;
  private final GrowthView view;

  private GrowthPlanner(GrowthRequest request, GrowthView view) {
    this.request = request;
    this.view = view;
  }

  public static GrowthPlan plan(GrowthRequest request, GrowthView view) {
    return new GrowthPlanner(request, view).plan();
  }

  /** Returns the pattern of claim names: TEMPLATE-STATEFULSET-ORDINAL. */
  static Pattern claimNames(String templatePattern, ObjectKey statefulSet) {
    return Pattern.compile(
        templatePattern + "-" + Pattern.quote(statefulSet.name()) + "-(0|[1-9][0-9]*)");
  }

  private String setName() {
    return "StatefulSet " + request.statefulSet();
  }

  private GrowthPlan plan() {
    Optional<SavedStatefulSet> saved = view.saved();
    if (view.current().isEmpty()) {
      return saved.isEmpty()
          ? impossible(setName() + " does not exist: check the name and the namespace (-n)")
          : planCreation(saved.get(), List.of());
    }
    StoredStatefulSet current = view.current().get();
    boolean isSaved = saved.filter(s -> s.replaced().equals(current.uid())).isPresent();
    if (current.isBeingDeleted()) {
      return isSaved
          ? planCreation(saved.orElseThrow(), List.of(new AwaitDeletion()))
          : impossible(setName() + " is being deleted: create it again, then run the command");
    }
    if (isSaved && !request.isFor(saved.orElseThrow())) {
      return otherRequest(saved.orElseThrow());
    }
    return planTemplate(current);
  }

  private GrowthPlan planCreation(SavedStatefulSet saved, List<GrowthStep> before) {
    if (!request.isFor(saved)) {
      return otherRequest(saved);
    }
    List<GrowthStep> steps = new ArrayList<>(before);
    steps.add(new CreateStatefulSet(saved));
    steps.add(new FinishStatefulSet(saved));
    return new GrowthPlan.Steps(saved.template(), steps);
  }

  // Two commands with different sizes must not overwrite each other's ConfigMap.
  private GrowthPlan otherRequest(SavedStatefulSet saved) {
    return impossible(
        "ConfigMap %s contains an unfinished growth of template %s to %s: run that first (--template %s --size %s)%s"
            .formatted(
                request.configMap(),
                saved.template(),
                saved.size(),
                saved.template(),
                saved.size(),
                view.current().filter(current -> !current.isBeingDeleted()).isPresent()
                    ? ", or delete the ConfigMap if no other 'mooring grow' runs"
                    : ""));
  }

  private static GrowthPlan impossible(String problem) {
    return new GrowthPlan.Impossible(problem);
  }

  private GrowthPlan planTemplate(StoredStatefulSet current) {
    List<ClaimTemplate> templates = current.templates();
    String names = templates.stream().map(ClaimTemplate::name).collect(Collectors.joining(", "));
    if (templates.isEmpty()) {
      return impossible(
          setName() + " has no claim templates, so no claims: specify another StatefulSet");
    }
    if (request.template().isEmpty() && templates.size() > 1) {
      return impossible(
          "%s has several claim templates: specify one of them with --template: %s"
              .formatted(setName(), names));
    }
    Optional<ClaimTemplate> template =
        templates.stream()
            .filter(one -> request.template().isEmpty() || one.name().equals(request.template()))
            .findFirst();
    if (template.isEmpty()) {
      return impossible(
          "--template %s: %s has no such claim template: specify one of them: %s"
              .formatted(request.template(), setName(), names));
    }
    if (template.get().size().compareTo(request.size()) > 0) {
      return impossible(
          "template %s of %s requests %s, more than --size %s: specify at least --size %s"
              .formatted(
                  template.get().name(),
                  setName(),
                  template.get().size(),
                  request.size(),
                  template.get().size()));
    }
    return planSteps(current, template.get());
  }

  private GrowthPlan planSteps(StoredStatefulSet current, ClaimTemplate template) {
    boolean hasSize = template.size().equals(request.size());
    List<GrowthStep> steps = new ArrayList<>();
    if (hasSize) {
      view.saved().ifPresent(saved -> steps.add(new FinishStatefulSet(saved)));
    }
    for (Claim claim : claims(template.name())) {
      ClaimGrowth growth = new ClaimGrowth(claim, request.size());
      Optional<String> problem = growth.problem(view.classes());
      if (problem.isPresent() && steps.stream().noneMatch(FinishStatefulSet.class::isInstance)) {
        return impossible(problem.get());
      }
      if (isUnfinished(growth)) {
        steps.add(new GrowClaim(claim));
      }
    }
    if (!hasSize) {
      Optional<String> problem = replacementProblem(current);
      if (problem.isPresent()) {
        return impossible(problem.get());
      }
      steps.addAll(replacement(current, template.name()));
    }
    return new GrowthPlan.Steps(template.name(), steps);
  }

  private static boolean isUnfinished(ClaimGrowth growth) {
    return switch (growth.state()) {
      case UNREQUESTED, GROWING -> true;
      case NODE_PENDING, GROWN -> false;
    };
  }

  private List<Claim> claims(String template) {
    Pattern names = claimNames(Pattern.quote(template), request.statefulSet());
    return view.claims().stream()
        .filter(claim -> names.matcher(claim.key().name()).matches())
        .sorted(
            Comparator.comparing(claim -> {
              String name = claim.key().name();
              return new BigInteger(name.substring(name.lastIndexOf('-') + 1));
            }))
        .toList();
  }

  private Optional<String> replacementProblem(StoredStatefulSet current) {
    if (current.isPartiallyUpdated()) {
      return Optional.of(
          setName()
              + " keeps pods at an earlier revision with updateStrategy.rollingUpdate.partition: finish that rollout first");
    }
    if (!current.foreignFinalizers().isEmpty()) {
      return Optional.of(
          "%s has the finalizer %s, whose program acts on its deletion: remove the finalizer first"
              .formatted(setName(), current.foreignFinalizers().getFirst()));
    }
    String flaw = request.configMap().flaw();
    return flaw.isEmpty()
        ? Optional.empty()
        : Optional.of("the name of ConfigMap " + request.configMap() + " is invalid: " + flaw);
  }

  private List<GrowthStep> replacement(StoredStatefulSet current, String template) {
    SavedStatefulSet saved = SavedStatefulSet.of(current, template, request.size());
    List<GrowthStep> steps = new ArrayList<>();
    if (!view.saved().equals(Optional.of(saved))) {
      steps.add(new SaveStatefulSet(saved, view.location()));
    }
    steps.add(new DeleteStatefulSet(current.uid(), current.version()));
    steps.add(new CreateStatefulSet(saved));
    steps.add(new FinishStatefulSet(saved));
    return steps;
  }
}
