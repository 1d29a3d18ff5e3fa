package dev.mooring.it.sim;

import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Fault: administrators delete the storage classes of a {@link CsiWorkload} or change their
 * provisioner for a while.
 */
final class ClassAdministrator {
  /** Class that is deleted while its claims are deleted. */
  static final String BRIEF = "brief";

  private static final String SECRET =
      ",'parameters':{'csi.storage.k8s.io/provisioner-secret-name':'keys','csi.storage.k8s.io/provisioner-secret-namespace':'ns'}";
  private static final Map<String, String> BINDING =
      new TreeMap<>(
          Map.of("now", "Immediate", "later", "WaitForFirstConsumer", BRIEF, "Immediate"));

  private final Simulation simulation;
  private final Random random;
  private final SimServer server;
  private final Consumer<Claim> onChange;
  private String secret = "";
  private String changed = ""; // the class that is deleted or has another provisioner
  private int remainingActs; // number of acts until it is restored
  private long changes;

  ClassAdministrator(Simulation simulation, Consumer<Claim> onChange) {
    this.simulation = simulation;
    this.random = simulation.random();
    this.server = simulation.server();
    this.onChange = onChange;
  }

  void createClasses() {
    secret = random.nextBoolean() ? SECRET : "";
    BINDING.keySet().forEach(name -> create(name, CsiDriverProcess.NAME));
  }

  private void create(String name, String provisioner) {
    server.create(
        Kind.STORAGE_CLASS,
        "",
        "{'metadata':{'name':'%s'},'provisioner':'%s','reclaimPolicy':'Delete','allowVolumeExpansion':true,'volumeBindingMode':'%s'%s}"
            .formatted(name, provisioner, BINDING.get(name), secret));
    server.list(Kind.CLAIM).stream()
        .filter(claim -> claim.className().equals(name))
        .forEach(onChange);
  }

  void delete(String name) {
    simulation.addToHistory("administrator: delete class " + name);
    server.delete(Kind.STORAGE_CLASS, ObjectKey.cluster(name));
  }

  /** Restores the changed class after a few acts, or changes a class with a probability of 5 %. */
  void act() {
    if (!changed.isEmpty() && --remainingActs <= 0) {
      restore();
    } else if (changed.isEmpty() && random.nextInt(20) == 0) {
      change(simulation.pick(List.copyOf(BINDING.keySet())));
    }
  }

  private void change(String name) {
    changes++;
    changed = name;
    remainingActs = 1 + random.nextInt(5);
    delete(name);
    if (random.nextBoolean()) {
      simulation.addToHistory("administrator: class " + name + " has another provisioner");
      create(name, "other");
    }
  }

  /** Restores the changed class. */
  void restore() {
    if (!changed.isEmpty()) {
      delete(changed);
      restore(changed);
      changed = "";
    }
  }

  void restore(String name) {
    simulation.addToHistory("administrator: class " + name + " is restored");
    create(name, CsiDriverProcess.NAME);
  }

  /** Returns how often a class was deleted or changed. */
  long changes() {
    return changes;
  }
}
