package dev.mooring.manager.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.mooring.model.Quantity;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Deleter;
import dev.mooring.testkit.PluginJarBuilder;
import dev.mooring.testkit.TestWait;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The host does not retain the class loader of a plugin that leaks. */
class UnloadTest {
  private static final String NAME = "example.com/leaks";

  /**
   * Starts threads and pools without stopping them, defines classes, throws its own errors, and
   * hangs.
   */
  private static final String LEAKING_PLUGIN =
      """
      static final class Mine extends Error {
        Mine() {
          super("mine");
        }
      }

      private static final ThreadLocal<Object> LOCAL = new ThreadLocal<>();

      private static void leak() {
        Thread sleepingThread = new Thread(() -> {
          try {
            Thread.sleep(1_000_000);
          } catch (InterruptedException e) {
            // the thread ends
          }
        }, "leaked");
        sleepingThread.start();
        // its threads ignore interrupts
        java.util.concurrent.Executors.newFixedThreadPool(1).execute(() -> {});
        LOCAL.set(new Object() {});
      }

      @Override
      public Optional<Deleter> deleter() {
        return Optional.of(request -> {
          leak();
          java.lang.reflect.Proxy.newProxyInstance(
              getClass().getClassLoader(), new Class<?>[] {Runnable.class}, (a, b, c) -> null);
          if (request.volumeName().startsWith("throws")) {
            throw new Mine();
          }
          if (request.volumeName().startsWith("hangs")) {
            try {
              Thread.sleep(1_000_000);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
          return Attempt.done(new Deleter.Deleted());
        });
      }
      """;

  private static final String STUBBORN_PLUGIN =
      """
      @Override
      public void start(PluginContext context) {
        Thread stubborn = new Thread(() -> {
          while (true) {
            java.util.concurrent.locks.LockSupport.park();
          }
        }, "stubborn");
        stubborn.setDaemon(true);
        stubborn.start();
      }
      """;

  // a plugin starts within it on a busy machine, and every hanging call takes it
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  @TempDir private Path folder;

  private PluginRegistry read(String members) throws Exception {
    PluginJarBuilder.at(folder.resolve("leaks.jar"))
        .withPlugin("com.example.Leaks", NAME, members)
        .write();
    return PluginRegistry.read(new PluginRegistry.Config(folder, Map.of(), DEADLINE, null, true));
  }

  private static ClassLoader findPluginLoader() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("plugin " + NAME))
        .map(Thread::getContextClassLoader)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }

  private void removeJar(PluginRegistry registry) throws Exception {
    Files.delete(folder.resolve("leaks.jar"));
    registry.scan();
    assertThat(registry.scan()).containsExactly(NAME);
  }

  private static void await(BooleanSupplier condition) {
    TestWait.until("the expected state", condition::getAsBoolean);
  }

  @Test
  void scan_leakingPluginRemoved_releasesClassLoader() throws Exception {
    try (PluginRegistry registry = read(LEAKING_PLUGIN)) {
      Deleter deleter = registry.find(NAME).orElseThrow().deleter().orElseThrow();
      for (String volume : new String[] {"a", "b", "throws-a", "throws-b", "hangs-a", "hangs-b"}) {
        deleter.delete(
            new Deleter.Request(volume, VolumeSource.NONE, Quantity.of("1Gi"), Map.of()));
      }
      WeakReference<ClassLoader> loader = new WeakReference<>(findPluginLoader());
      removeJar(registry);
      await(() -> {
        System.gc();
        return loader.get() == null;
      });
      assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
          .noneMatch(name -> name.equals("leaked") || name.startsWith("plugin " + NAME));
      assertThat(deleter).as("the host keeps its proxy").isNotNull();
    }
  }

  @Test
  void scan_threadsDoNotTerminate_areLogged() throws Exception {
    ListAppender<ILoggingEvent> appender = new ListAppender<>();
    appender.start();
    Logger logger = (Logger) LoggerFactory.getLogger(LoadedJar.class);
    logger.addAppender(appender);
    logger.setLevel(Level.INFO); // a command of another test may have made the log quiet
    try (PluginRegistry registry = read(STUBBORN_PLUGIN)) {
      removeJar(registry);
      assertThat(appender.list.stream().map(ILoggingEvent::getFormattedMessage))
          .containsExactly(
              "plugin leaks.jar: threads do not terminate (stubborn); they remain until Mooring restarts, possibly with their classes");
    } finally {
      logger.setLevel(null);
      logger.detachAppender(appender);
    }
  }
}
