package dev.mooring.kube.auth;

import java.io.IOException;
import java.time.Duration;

/** What a server is shown to prove who we are, renewed while we run. Thread-safe. */
public interface Credentials {
  /**
   * What is shown.
   *
   * @param authorization the header's value, "" for none
   * @param certificate a certificate chain in PEM, "" for none
   * @param key its key in PEM, "" for none
   */
  record Shown(String authorization, String certificate, String key) {
    public static final Shown NOTHING = new Shown("", "", "");

    @Override
    public String toString() {
      return "credentials"; // they are nobody's business
    }
  }

  /**
   * What to show now. Blocks for as long as new ones take.
   *
   * @param most but no longer than that
   * @throws CredentialsException if there is nothing to show; its message says why
   */
  Shown current(Duration most) throws IOException;

  /**
   * The server did not take those: what is shown next is fetched anew if that is possible.
   *
   * @param most how long it may block for that; it goes on without whoever asked
   * @throws CredentialsException if it could not be fetched
   */
  void refused(Shown shown, Duration most) throws IOException;
}
