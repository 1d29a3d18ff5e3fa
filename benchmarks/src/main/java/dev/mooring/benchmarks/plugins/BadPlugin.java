package dev.mooring.benchmarks.plugins;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * A misbehaving plugin: throws errors, hangs forever and ignores interrupts, and leaks a thread and
 * a class in every call.
 */
public final class BadPlugin implements VolumePlugin {
  public static final String NAME = "example.com/bad";

  private static final List<Class<?>> LEAKED = new CopyOnWriteArrayList<>();

  public BadPlugin() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean supports(VolumeSource source) {
    throw new AssertionError("bad");
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return Optional.of(this::provision);
  }

  private Attempt<Provisioner.Provisioned> provision(Provisioner.Request request) {
    leak();
    if (request.claim().key().name().startsWith("hangs")) {
      hang();
    }
    throw new StackOverflowError("bad");
  }

  private static void leak() {
    Thread.ofPlatform().daemon().start(BadPlugin::hang);
    LEAKED.add(new CopyingLoader().defineCopy());
  }

  private static void hang() {
    while (true) {
      LockSupport.park();
      Thread.interrupted(); // ignores the interrupt
    }
  }

  private static final class CopyingLoader extends ClassLoader {
    Class<?> defineCopy() {
      String name = CopyingLoader.class.getName();
      try (InputStream in =
          BadPlugin.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new IllegalStateException("no class file of " + name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
