package dev.mooring.it.scenario;

import dev.mooring.it.Resources;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.shadow.ShadowReport;
import dev.mooring.manager.shadow.ShadowSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Runs a shadow in this process. */
final class ShadowController implements RunningController {
  private final Path kubeconfig;
  private final List<String> extraFlags;
  private final Supplier<ShadowSession> newShadow;
  private volatile ControllerManager manager;
  private volatile ShadowSession shadow;
  private volatile ShadowReport report;

  ShadowController(Path kubeconfig, List<String> extraFlags, Supplier<ShadowSession> newShadow) {
    this.kubeconfig = kubeconfig;
    this.extraFlags = extraFlags;
    this.newShadow = newShadow;
  }

  @Override
  public void start(List<String> flags) throws Exception {
    List<String> allFlags = new ArrayList<>(List.of("--enable-hostpath-provisioner=true"));
    allFlags.addAll(flags);
    allFlags.addAll(extraFlags);
    ShadowSession newOne = newShadow.get();
    ControllerManager newManager =
        RunFlags.shadow(
            allFlags,
            Resources.plugins(),
            KubeConnection.ofFiles(List.of(kubeconfig), "", "mooring-shadow"),
            newOne);
    newManager.start();
    newOne.begin(newManager::queueStats);
    shadow = newOne;
    manager = newManager;
  }

  @Override
  public void stop() throws Exception {
    ControllerManager runningManager = manager;
    manager = null;
    if (runningManager != null) {
      report = shadow.finishSettled();
      runningManager.stop();
    }
  }

  /** Returns whether no key is queued or in process; keys may wait for a retry. */
  @Override
  public boolean isIdle() {
    return manager == null || shadow.isIdle();
  }

  /** Returns the results, after the stop. */
  ShadowReport report() {
    return report;
  }
}
