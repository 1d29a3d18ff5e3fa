package dev.mooring.binder.state;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.LabelQuery;
import dev.mooring.binder.decide.MatchKey;
import dev.mooring.binder.decide.MatchSubject;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Match keys of unbound claims that have a selector. Computing a key takes time linear in the
 * selector, so it is done once per change and not at every decision. Thread-safe.
 */
final class MatchKeys {
  private record KeyedClaim(Claim claim, MatchKey key) {}

  private record SharedQuery(LabelQuery query, int users) {}

  private final BinderPolicy policy;
  private final Map<ObjectKey, KeyedClaim> known = new ConcurrentHashMap<>();
  private final Map<LabelQuery, SharedQuery> queries = new ConcurrentHashMap<>();

  MatchKeys(BinderPolicy policy) {
    this.policy = policy;
  }

  MatchKey observed(Claim claim) {
    MatchKey key = shared(create(claim));
    remove(claim.key());
    if (key.labels() != null) {
      known.put(claim.key(), new KeyedClaim(claim, key));
    }
    return key;
  }

  void remove(ObjectKey claim) {
    KeyedClaim before = known.remove(claim);
    LabelQuery query = before == null ? null : before.key().labels();
    if (query != null) {
      queries.computeIfPresent(
          query, (q, s) -> s.users() == 1 ? null : new SharedQuery(s.query(), s.users() - 1));
    }
  }

  private MatchKey shared(MatchKey key) {
    LabelQuery query = key.labels();
    if (query == null) {
      return key;
    }
    SharedQuery shared =
        queries.merge(
            query,
            new SharedQuery(query, 1),
            (s, one) -> new SharedQuery(s.query(), s.users() + 1));
    return key.with(shared.query());
  }

  MatchKey of(Claim claim) {
    KeyedClaim now = claim.selector() == null ? null : known.get(claim.key());
    return now != null && now.claim() == claim ? now.key() : create(claim);
  }

  private MatchKey create(Claim claim) {
    return MatchKey.of(new MatchSubject(claim, policy));
  }
}
