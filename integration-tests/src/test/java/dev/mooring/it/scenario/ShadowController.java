package dev.mooring.it.scenario;

import com.google.gson.JsonObject;
import dev.mooring.informer.Informer;
import dev.mooring.it.Resources;
import dev.mooring.it.RestApi;
import dev.mooring.kube.KubeConnection;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.lifecycle.ControllerManager;
import dev.mooring.manager.shadow.ShadowReport;
import dev.mooring.manager.shadow.ShadowSession;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Runs a shadow in this process. */
final class ShadowController implements RunningController {
  private static final List<Kind<?>> CACHED_KINDS =
      List.of(
          Kind.VOLUME,
          Kind.CLAIM,
          Kind.STORAGE_CLASS,
          Kind.ATTACHMENT,
          Kind.NODE,
          Kind.POD,
          Kind.ATTRIBUTES_CLASS);

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

  boolean isStarted() {
    return manager != null || report != null;
  }

  /** Returns whether no key is queued or in process; keys may wait for a retry. */
  @Override
  public boolean isIdle() {
    return manager == null || shadow.isIdle();
  }

  /**
   * Returns whether the caches contain what the server has, and every decision about it is made.
   */
  boolean isAtRest(RestApi api) throws Exception {
    ShadowSession current = shadow;
    if (current == null || manager == null) {
      return true;
    }
    for (Kind<?> kind : CACHED_KINDS) {
      Optional<? extends Informer<?>> informer = current.informers().find(kind);
      if (informer.filter(Informer::isSynced).isPresent() && !isCurrent(informer.get(), api)) {
        return false;
      }
    }
    return isIdle();
  }

  private static boolean isCurrent(Informer<?> informer, RestApi api) throws Exception {
    Set<String> onServer = new HashSet<>();
    for (JsonObject object : api.list(informer.kind().kind())) {
      JsonObject metadata = object.getAsJsonObject("metadata");
      onServer.add(
          metadata.get("uid").getAsString() + " " + metadata.get("resourceVersion").getAsString());
    }
    Set<String> cached = new HashSet<>();
    for (Resource object : informer.snapshot().objects()) {
      cached.add(object.meta().uid() + " " + object.meta().resourceVersion());
    }
    return informer.kind().equals(Kind.POD) // without pods that use no volume
        ? onServer.containsAll(cached)
        : onServer.equals(cached);
  }

  /** Returns the results, after the stop. */
  ShadowReport report() {
    return report;
  }
}
