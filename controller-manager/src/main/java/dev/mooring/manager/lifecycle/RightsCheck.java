package dev.mooring.manager.lifecycle;

import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Target;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.kube.AccessReviews;
import dev.mooring.kube.AccessReviews.Answer;
import dev.mooring.kube.KubeConnection;
import dev.mooring.text.TextTable;
import dev.mooring.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Checks all required rights once, and logs a table of the missing ones with their purposes.
 * Nothing waits for the check.
 */
public final class RightsCheck {
  private static final System.Logger LOG = System.getLogger(RightsCheck.class.getName());
  private static final int MAX_CONCURRENT = 4;

  private static final Duration DELAY = Duration.ofSeconds(5);

  private record RequiredRight(Verb verb, Target target) {}

  private final List<RbacRule> rights;
  private final AccessReviews reviews;
  private final Time time;

  public RightsCheck(List<RbacRule> rights, KubeConnection connection, Time time) {
    this.time = time;
    this.rights = rights;
    this.reviews = new AccessReviews(connection);
  }

  public void start() {
    Thread.ofVirtual()
        .name("rights")
        .start(() -> {
          try {
            time.sleep(DELAY);
            report();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private void report() throws InterruptedException {
    Map<RequiredRight, TreeSet<String>> purposes = new LinkedHashMap<>();
    for (RbacRule right : rights) {
      if (!right.target().namespace().equals(Target.NAMESPACES_OF_CLASSES)) {
        purposes
            .computeIfAbsent(new RequiredRight(right.verb(), right.target()), r -> new TreeSet<>())
            .add(right.purpose());
      }
    }
    Map<RequiredRight, Answer> answers = askServer(purposes.keySet());
    TextTable missing = new TextTable(TextTable.UNLIMITED, "MISSING", "NEEDED FOR");
    List<String> names = new ArrayList<>();
    purposes.forEach((right, purpose) -> {
      if (answers.get(right) == Answer.DENIED) {
        names.add(new RbacRule(right.verb(), right.target(), "").toString());
        missing.row(names.getLast(), String.join("; ", purpose));
      }
    });
    long unknown = answers.values().stream().filter(a -> a == Answer.UNKNOWN).count();
    if (unknown > 0) {
      LOG.log(
          Level.INFO,
          () -> "the API server could not answer for " + unknown + " of the required rights");
    }
    if (!names.isEmpty()) {
      LOG.log(Level.WARNING, () -> report(names.size(), missing));
    } else if (unknown == 0) {
      LOG.log(Level.DEBUG, "all required rights are granted");
    }
  }

  private static String report(int number, TextTable missing) {
    return "this user lacks "
        + (number == 1 ? "a right" : number + " rights")
        + " at the API server; 'mooring rights' with the flags of this run prints roles that grant them"
        + System.lineSeparator()
        + missing.toString().indent(2).stripTrailing();
  }

  private Map<RequiredRight, Answer> askServer(Iterable<RequiredRight> required)
      throws InterruptedException {
    Map<RequiredRight, Answer> answers = new ConcurrentHashMap<>();
    Semaphore permits = new Semaphore(MAX_CONCURRENT);
    List<Thread> threads = new ArrayList<>();
    for (RequiredRight right : required) {
      threads.add(
          Thread.startVirtualThread(() -> {
            permits.acquireUninterruptibly();
            try {
              answers.put(right, reviews.check(new RbacRule(right.verb(), right.target(), "")));
            } finally {
              permits.release();
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return answers;
  }
}
