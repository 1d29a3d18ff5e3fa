package dev.mooring.manager.command;

import dev.mooring.kube.KubeCluster;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.lifecycle.KnownController;
import dev.mooring.manager.peer.ControllersFlag;
import dev.mooring.manager.peer.KubeControllerManager;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Refuses a start while kube-controller-manager runs the same controllers. */
final class SecondManagerCheck {
  static final String FLAG = "--kcm-volume-controllers-off";
  static final String FIRST_ENTRY = "-persistentvolume-binder-controller";
  private static final System.Logger LOG = System.getLogger(SecondManagerCheck.class.getName());
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final KubeControllerManager manager;
  private final Set<KnownController> controllers;
  private final Time time = new SystemTime();

  /**
   * @param controllers controllers of this process that must not run twice
   */
  SecondManagerCheck(KubeConnection connection, Set<KnownController> controllers) {
    this.manager = new KubeControllerManager(KubeCluster.alone(connection, time), time);
    this.controllers = controllers;
  }

  /**
   * Checks once. Warns and continues without the right to read the Lease.
   *
   * @throws IOException if kube-controller-manager is active and may run one of the controllers
   */
  void run() throws IOException, InterruptedException {
    if (controllers.isEmpty()) {
      return;
    }
    Optional<String> holder = holder();
    if (holder.isPresent()) {
      checkFlags(holder.get());
    }
  }

  private Optional<String> holder() throws InterruptedException {
    boolean isReported = false;
    while (true) {
      try {
        return manager.activeHolder();
      } catch (IOException e) {
        if (manager.isLeaseForbidden()) {
          LOG.log(
              Level.WARNING,
              () ->
                  "cannot check that kube-controller-manager runs without its volume controllers: this user may not get Lease %s; 'mooring rights' prints the role"
                      .formatted(KubeControllerManager.LEASE));
          return Optional.empty();
        }
        if (!isReported) {
          LOG.log(Level.WARNING, () -> e.getMessage() + "; retrying before the controllers start");
          isReported = true;
        }
        time.sleep(RETRY);
      }
    }
  }

  private void checkFlags(String holder) throws IOException, InterruptedException {
    List<ControllersFlag> flags = manager.flags();
    List<String> duplicates =
        controllers.stream()
            .filter(one -> flags.stream().anyMatch(flag -> flag.isOn(one::isCalled)))
            .map(KnownController::controller)
            .toList();
    if (!flags.isEmpty() && duplicates.isEmpty()) {
      return;
    }
    String active =
        "kube-controller-manager is active (%s holds Lease %s)"
            .formatted(holder, KubeControllerManager.LEASE);
    String flagToSet =
        "--controllers=*,"
            + controllers.stream()
                .map(one -> "-" + one.controller())
                .collect(Collectors.joining(","));
    throw new IOException(
        flags.isEmpty()
            ? "%s, and its flags cannot be read: two binders may give one volume to two claims. Specify --mode=beside, or %s if it runs with %s"
                .formatted(active, FLAG, flagToSet)
            : "%s and runs %s: two controllers may give one volume to two claims. Specify --mode=beside, or restart kube-controller-manager with %s"
                .formatted(active, String.join(", ", duplicates), flagToSet));
  }
}
