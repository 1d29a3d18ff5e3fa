package dev.mooring.plugin.nfs;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Deleter.Deleted;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.Provisioner.Provisioned;
import dev.mooring.testkit.FixedContext;
import dev.mooring.testkit.TestObjects;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Started plugin over a local directory, and requests to it. */
final class StartedNfsPlugin {
  static final String SERVER = "nfs.example.com";
  private final NfsPlugin plugin;

  StartedNfsPlugin(Path mount, String share) {
    this(Map.of(), Map.of("nfs-exports", SERVER + ":" + share + "=" + mount));
  }

  StartedNfsPlugin(Map<String, String> environment, Map<String, String> settings) {
    plugin = new NfsPlugin(environment);
    Map<String, String> all = new HashMap<>(settings);
    all.putIfAbsent("nfs-require-mount", "false");
    plugin.start(new FixedContext(all));
  }

  NfsPlugin plugin() {
    return plugin;
  }

  static Provisioner.ClaimInfo claim(String name, Map<String, String> annotations) {
    return new Provisioner.ClaimInfo(
        ObjectKey.of("ns", name), Uid.of("u"), Map.of("app", "web"), annotations);
  }

  static Provisioner.Request request(
      String volume, Provisioner.ClaimInfo claim, Map<String, String> parameters) {
    return TestObjects.provisionRequest(volume)
        .claim(claim)
        .accessModes("ReadWriteMany")
        .className("nfs")
        .parameters(parameters)
        .build();
  }

  Attempt<Provisioned> provision(
      String volume, Provisioner.ClaimInfo claim, Map<String, String> parameters) {
    Provisioner provisioner = plugin.provisioner().orElseThrow();
    Provisioner.Request request = request(volume, claim, parameters);
    return provisioner
        .refuses(request)
        .<Attempt<Provisioned>>map(Attempt::rejected)
        .orElseGet(() -> provisioner.provision(request));
  }

  Attempt<Provisioned> provision(String volume, String claim, Map<String, String> parameters) {
    return provision(volume, claim(claim, Map.of()), parameters);
  }

  static String path(Attempt<Provisioned> attempt) {
    if (attempt instanceof Attempt.Done<Provisioned>(Provisioned volume)) {
      return volume.source().attribute("path");
    }
    throw new AssertionError(attempt);
  }

  Attempt<Deleted> delete(String volume, String path, Map<String, String> annotations) {
    return plugin
        .deleter()
        .orElseThrow()
        .delete(
            new Deleter.Request(
                volume, VolumeSource.nfs(SERVER, path), Quantity.of("1Gi"), annotations));
  }

  static boolean isDone(Attempt<?> attempt) {
    return attempt instanceof Attempt.Done<?>;
  }

  static String refusal(Attempt<?> attempt) {
    if (failure(attempt) instanceof Failure.Rejected(String message)) {
      return message;
    }
    throw new AssertionError(attempt);
  }

  static String conflict(Attempt<?> attempt) {
    if (failure(attempt) instanceof Failure.InUse(String message)) {
      return message;
    }
    throw new AssertionError(attempt);
  }

  static Failure failure(Attempt<?> attempt) {
    if (attempt instanceof Attempt.Failed<?>(Failure failure)) {
      return failure;
    }
    throw new AssertionError(attempt);
  }
}
