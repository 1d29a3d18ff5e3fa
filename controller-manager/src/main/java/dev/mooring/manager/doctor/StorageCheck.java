package dev.mooring.manager.doctor;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.CsiNode;
import dev.mooring.model.StorageClass;
import dev.mooring.model.Volume;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks of classes, provisioners and drivers.
 *
 * @param plugins names of the plugins of this program
 * @param now time of the check
 */
record StorageCheck(
    List<StorageClass> classes,
    List<CsiDriver> drivers,
    List<CsiNode> nodes,
    List<Claim> claims,
    List<Volume> volumes,
    Set<String> plugins,
    Instant now) {
  private static final String STATIC = "kubernetes.io/no-provisioner";
  private static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";
  private static final long PATIENCE_SECONDS = 300;

  List<CheckFinding> results() {
    List<CheckFinding> findings = new ArrayList<>(List.of(defaultClasses()));
    findings.addAll(provisioners());
    findings.addAll(driversWithoutNodes());
    return findings;
  }

  private CheckFinding defaultClasses() {
    String check = "default class";
    List<StorageClass> defaults = classes.stream().filter(StorageClass::isDefault).toList();
    return switch (defaults.size()) {
      case 0 ->
          CheckFinding.warn(
              check,
              "no StorageClass is the default: claims without a class wait for a volume",
              "set the annotation storageclass.kubernetes.io/is-default-class=true on one");
      case 1 -> CheckFinding.ok(check, defaults.getFirst().meta().name());
      default ->
          CheckFinding.warn(
              check,
              "%s are all the default; the newest counts: %s"
                  .formatted(
                      defaults.stream()
                          .map(one -> one.meta().name())
                          .sorted()
                          .collect(Collectors.joining(", ")),
                      defaults.stream()
                          .max(Comparator.comparingLong(one -> one.meta().created()))
                          .map(one -> one.meta().name())
                          .orElse("")),
              "remove the annotation storageclass.kubernetes.io/is-default-class from the others");
    };
  }

  private Set<String> driversOnNodes() {
    return nodes.stream()
        .flatMap(node -> node.drivers().stream())
        .map(CsiNode.Driver::name)
        .collect(Collectors.toSet());
  }

  private List<CheckFinding> provisioners() {
    Map<String, Set<String>> classesOf = new TreeMap<>();
    for (StorageClass storageClass : classes) {
      String migrated = CsiMigration.driverOf(storageClass.provisioner());
      String name = migrated.isEmpty() ? storageClass.provisioner() : migrated;
      if (!name.equals(STATIC)) {
        classesOf.computeIfAbsent(name, n -> new TreeSet<>()).add(storageClass.meta().name());
      }
    }
    List<CheckFinding> findings = new ArrayList<>();
    List<String> served = new ArrayList<>();
    classesOf.forEach((provisioner, names) -> {
      CheckFinding result = provisioner(provisioner, names);
      if (result.outcome() == CheckFinding.Outcome.OK) {
        served.add(provisioner);
      } else {
        findings.add(result);
      }
    });
    if (!served.isEmpty()) {
      findings.addFirst(CheckFinding.ok("provisioners", "served: " + String.join(", ", served)));
    }
    return findings;
  }

  private CheckFinding provisioner(String name, Set<String> names) {
    String check = "provisioners";
    String classNames =
        (names.size() == 1 ? " of class " : " of classes ") + String.join(", ", names);
    long waiting = claims.stream().filter(claim -> isWaiting(claim, names)).count();
    boolean isDriver =
        driversOnNodes().contains(name)
            || drivers.stream().anyMatch(driver -> driver.meta().name().equals(name));
    boolean isKnown = isDriver || plugins.contains(name) || hasProvisioned(name);
    if (isKnown && waiting == 0) {
      return CheckFinding.ok(check, name);
    }
    if (isKnown) {
      return CheckFinding.warn(
          check,
          "%s%s: %s for more than 5 minutes"
              .formatted(
                  name, classNames, waiting == 1 ? "1 claim waits" : waiting + " claims wait"),
          "run 'mooring explain -A', and check the provisioner and its log");
    }
    String text =
        "%s%s: no CSIDriver, no plugin of this program and no volume has this name"
            .formatted(name, classNames);
    String remedy = "install the provisioner, or correct the class";
    return waiting == 0
        ? CheckFinding.warn(check, text, remedy)
        : CheckFinding.fail(check, text + "; claims that wait: " + waiting, remedy);
  }

  private boolean hasProvisioned(String name) {
    return volumes.stream().anyMatch(v -> v.meta().annotation(PROVISIONED_BY).equals(name));
  }

  private boolean isWaiting(Claim claim, Set<String> names) {
    String className = Objects.requireNonNullElse(claim.storageClass(), "");
    return names.contains(className)
        && claim.volumeName().isEmpty()
        && claim.status().phase() != ClaimPhase.BOUND
        && isToBeProvisioned(claim)
        && now.getEpochSecond() - claim.meta().created() > PATIENCE_SECONDS;
  }

  // a claim of a class that waits for a pod has the annotation only once the pod is scheduled
  private static boolean isToBeProvisioned(Claim claim) {
    return claim.meta().hasAnnotation("volume.kubernetes.io/storage-provisioner")
        || claim.meta().hasAnnotation("volume.beta.kubernetes.io/storage-provisioner");
  }

  private List<CheckFinding> driversWithoutNodes() {
    Set<String> running = driversOnNodes();
    List<String> idle =
        drivers.stream()
            .map(driver -> driver.meta().name())
            .filter(name -> !running.contains(name))
            .sorted()
            .toList();
    if (!idle.isEmpty()) {
      return idle.stream()
          .map(name ->
              CheckFinding.warn(
                  "CSI drivers",
                  name + " is registered on no node: pods cannot mount its volumes",
                  "check the driver's DaemonSet and its node-driver-registrar"))
          .toList();
    }
    return List.of(
        CheckFinding.ok(
            "CSI drivers",
            drivers.isEmpty()
                ? "none is installed"
                : drivers.size() + ", all registered on nodes"));
  }
}
