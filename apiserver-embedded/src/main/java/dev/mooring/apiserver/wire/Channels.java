package dev.mooring.apiserver.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What both protocols need of Netty. */
final class Channels {
  private Channels() {}

  static ChannelInitializer<Channel> prepared(Consumer<Channel> how) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        how.accept(channel);
      }
    };
  }

  /** What a request is for, as it was sent; null if that is no path of ours, and a bad request. */
  static @Nullable URI target(CharSequence sent) {
    try {
      URI target = new URI(sent.toString());
      return target.getRawPath() == null ? null : target;
    } catch (URISyntaxException none) {
      return null;
    }
  }
}
