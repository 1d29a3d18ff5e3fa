package dev.mooring.manager.doctor;

import dev.mooring.manager.peer.ControllersFlag;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks that exactly one process binds claims.
 *
 * @param kubernetes holder of kube-controller-manager's Lease; empty if it is not active
 * @param kubernetesFlags its flags; empty if unknown
 * @param replicas active leaders of Mooring
 */
record BinderCheck(
    Optional<String> kubernetes, List<ControllersFlag> kubernetesFlags, List<Leader> replicas) {
  private static final String CHECK = "binders";
  private static final String REMEDY =
      "stop one: docs/migrate-from-kcm.md has the flag of kube-controller-manager; --mode=beside is Mooring's";

  enum Binds {
    YES,
    NO,
    UNKNOWN
  }

  /**
   * @param lease as NAMESPACE/NAME
   */
  record Leader(String lease, String holder, Binds binds) {}

  CheckFinding result() {
    List<Leader> binding = with(Binds.YES);
    List<Leader> unknown = with(Binds.UNKNOWN);
    Binds kubernetesBinds = kubernetesBinds();
    int certain = binding.size() + (kubernetesBinds == Binds.YES ? 1 : 0);
    int possible = unknown.size() + (kubernetesBinds == Binds.UNKNOWN ? 1 : 0);
    String summary = describe();
    if (certain > 1) {
      return CheckFinding.fail(
          CHECK, "two binders may give one volume to two claims: " + summary, REMEDY);
    }
    if (certain + possible > 1) {
      return CheckFinding.warn(CHECK, "there may be two binders: " + summary, REMEDY);
    }
    return certain + possible == 0
        ? CheckFinding.warn(
            CHECK,
            "no active binder was found: " + (summary.isEmpty() ? "no Lease is renewed" : summary),
            "run kube-controller-manager with its volume controllers, or Mooring with --mode=replace")
        : CheckFinding.ok(CHECK, summary);
  }

  private List<Leader> with(Binds binds) {
    return replicas.stream().filter(one -> one.binds() == binds).toList();
  }

  private Binds kubernetesBinds() {
    if (kubernetes.isEmpty()) {
      return Binds.NO;
    }
    if (kubernetesFlags.isEmpty()) {
      return Binds.UNKNOWN;
    }
    return kubernetesFlags.stream()
            .anyMatch(flag ->
                flag.isOn(name ->
                    name.equals("persistentvolume-binder-controller")
                        || name.equals("persistentvolume-binder")))
        ? Binds.YES
        : Binds.NO;
  }

  private String describe() {
    String leaders =
        replicas.stream()
            .map(one ->
                "Mooring %s (Lease %s) %s"
                    .formatted(one.holder(), one.lease(), describe(one.binds())))
            .collect(Collectors.joining("; "));
    return kubernetes
        .map(holder ->
            "kube-controller-manager %s %s%s"
                .formatted(
                    holder, describe(kubernetesBinds()), leaders.isEmpty() ? "" : "; " + leaders))
        .orElse(leaders);
  }

  private static String describe(Binds binds) {
    return switch (binds) {
      case YES -> "binds";
      case NO -> "does not bind";
      case UNKNOWN -> "may bind";
    };
  }
}
