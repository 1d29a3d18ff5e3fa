package dev.mooring.benchmarks.plugins;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import java.util.Map;
import java.util.Optional;

/** A plugin whose storage takes five milliseconds to create a volume. */
public class GoodPlugin implements VolumePlugin {
  public static final String NAME = "example.com/good";

  private static final long MILLIS = 5;

  public GoodPlugin() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public final boolean supports(VolumeSource source) {
    return source.type().equals("hostPath") && source.attribute("path").startsWith(path());
  }

  private String path() {
    return "/" + name() + "/";
  }

  @Override
  public final Optional<Provisioner> provisioner() {
    return Optional.of(this::provision);
  }

  private Attempt<Provisioner.Provisioned> provision(Provisioner.Request request) {
    try {
      Thread.sleep(MILLIS);
    } catch (InterruptedException e) {
      return new Attempt.Failed<>(new Failure.Uncertain("interrupted"));
    }
    return Attempt.done(
        new Provisioner.Provisioned(
            VolumeSource.hostPath(path() + request.volumeName()),
            request.capacity(),
            request.accessModes(),
            Map.of()));
  }
}
