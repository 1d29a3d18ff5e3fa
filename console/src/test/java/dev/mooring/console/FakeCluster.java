package dev.mooring.console;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.console.view.Extension;
import dev.mooring.console.view.FollowedCluster;
import dev.mooring.console.view.Moment;
import dev.mooring.console.view.Outage;
import dev.mooring.console.view.Section;
import dev.mooring.console.view.Standing;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.Sight;
import dev.mooring.explain.Subject;
import dev.mooring.explain.Unseen;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.storage.Plugins;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A cluster whose objects and explanations a test makes up. Thread-safe. */
public final class FakeCluster implements FollowedCluster {
  private volatile List<Extension> extensions = List.of();
  private volatile boolean listed = true;
  private final Map<Kind<?>, Informer<?>> informers = new ConcurrentHashMap<>();
  private final Map<Subject, List<Explanation>> explanations = new ConcurrentHashMap<>();
  private final Set<Subject> failing = ConcurrentHashMap.newKeySet();
  private final List<Consumer<Optional<Outage>>> listeners = new CopyOnWriteArrayList<>();
  private volatile Optional<Outage> outage = Optional.empty();
  private volatile Consumer<ObjectKey> each = key -> {};
  private final AtomicInteger moments = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();

  /** Without anything. */
  public FakeCluster() {
    for (Section section : Section.values()) {
      empty(section.kind());
    }
    empty(Kind.LEASE);
  }

  private <T extends Resource> void empty(Kind<T> kind) {
    informers.put(kind, new Informer<>(kind, List.of()));
  }

  /** An object comes, or changes. */
  public <T extends Resource> void put(Kind<T> kind, T object) {
    informer(kind).wrote(object);
  }

  /** An object goes. */
  public void remove(Kind<?> kind, Resource object) {
    informer(kind).deleted(object.key(), object.meta().uid());
  }

  /** From now on that is said of an object. */
  public void explain(Subject subject, Explanation... said) {
    explanations.put(subject, Arrays.asList(said));
  }

  /** From now on everything is listed, or not yet. */
  public void isListed(boolean now) {
    listed = now;
  }

  /** From now on the process has that. */
  public void has(Extension... all) {
    extensions = List.of(all);
  }

  /** From now on there is a mistake in whoever explains that object. */
  public void fail(Subject subject) {
    failing.add(subject);
  }

  /** From now on that is told whenever anybody asks why an object waits. */
  public void eachIs(Consumer<ObjectKey> told) {
    this.each = told;
  }

  /** How often anybody has asked why an object waits. */
  public int asked() {
    return asked.get();
  }

  /** How many moments anybody has looked at. */
  public int moments() {
    return moments.get();
  }

  @SuppressWarnings("unchecked") // each is filed under its own kind
  private <T extends Resource> Informer<T> informer(Kind<T> kind) {
    return (Informer<T>) informers.get(kind);
  }

  @Override
  public Sight sight() {
    return new Sight() {
      @Override
      public <T extends Resource> Informer<T> informer(Kind<T> kind) {
        return FakeCluster.this.informer(kind);
      }

      @Override
      public Optional<String> unseen(Kind<?> kind) {
        return Optional.empty();
      }

      @Override
      public LiveReader reader() {
        throw new UnsupportedOperationException("nobody asks a server here");
      }

      @Override
      public EventReader events() {
        return (key, uid) -> new ReadResult.Found<>(List.of());
      }

      @Override
      public Plugins plugins() {
        return Plugins.NONE;
      }
    };
  }

  @Override
  public Set<Kind<?>> kinds() {
    return informers.keySet().stream().collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public boolean isListed() {
    return listed;
  }

  @Override
  public Moment moment() {
    moments.incrementAndGet();
    return new Moment() {
      @Override
      public Sight sight() {
        return FakeCluster.this.sight();
      }

      @Override
      public List<Explanation> explain(Kind<?> kind, ObjectKey key) {
        return explanations.getOrDefault(new Subject(kind, key), List.of());
      }

      @Override
      public List<Explanation> waiting(Kind<?> kind, ObjectKey key) {
        asked.incrementAndGet();
        each.accept(key);
        if (failing.contains(new Subject(kind, key))) {
          throw new IllegalStateException("a mistake of " + kind + " " + key);
        }
        return informer(kind).snapshot().get(key).isEmpty()
            ? List.of()
            : explain(kind, key).stream().filter(Explanation::waits).toList();
      }

      @Override
      public List<Unseen> unseen() {
        return List.of();
      }
    };
  }

  /** From now on the API server does not answer, or does again. */
  public void outage(Optional<Outage> now) {
    outage = now;
    listeners.forEach(listener -> listener.accept(now));
  }

  @Override
  public void onOutage(Consumer<Optional<Outage>> listener) {
    listeners.add(listener);
    outage.ifPresent(now -> listener.accept(Optional.of(now)));
  }

  @Override
  public Standing standing() {
    return new Standing("https://cluster", List.of(), extensions, "");
  }

  @Override
  public Map<String, Object> tree(Explanation explanation) {
    return Map.of("note", explanation.note());
  }

  @Override
  public List<Explanation> withEvents(List<Explanation> said, Resource object) {
    return said;
  }
}
