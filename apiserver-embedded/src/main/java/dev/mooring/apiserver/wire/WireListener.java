package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.HttpHandler;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Listens for connections. With TLS it speaks HTTP/2, or HTTP/1.1 if the client does not offer
 * HTTP/2, like kube-apiserver. Without TLS it speaks HTTP/1.1. Client certificates are optional.
 * Thread-safe.
 */
public final class WireListener implements AutoCloseable {
  /** The server does not keep a longer body; a handler that reads it gets an error. */
  static final int MOST_BODY = 4 * 1024 * 1024;

  private static final System.Logger LOG = System.getLogger(WireListener.class.getName());
  // kube-apiserver's default
  private static final int STREAMS = 100;
  private static final int WINDOW = 256 * 1024;
  private static final int HEAD = 1024 * 1024;

  private static final int CHUNK = 8192;
  private static final int BACKLOG = 1024;

  private record RequestService(HttpHandler handler, Executor threads) {}

  private final AtomicReference<@Nullable RequestService> service = new AtomicReference<>();
  private final @Nullable JdkSslContext tls;
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  private final Channel listening;

  /**
   * Binds the address.
   *
   * @param tls the TLS context; null for a listener without TLS
   * @throws IOException if the address cannot be bound
   */
  public WireListener(InetSocketAddress address, @Nullable SSLContext tls) throws IOException {
    this.tls = tls == null ? null : negotiating(tls);
    this.listening = listen(address);
  }

  private static JdkSslContext negotiating(SSLContext tls) {
    return new JdkSslContext(
        tls,
        false,
        null,
        IdentityCipherSuiteFilter.INSTANCE,
        new ApplicationProtocolConfig(
            ApplicationProtocolConfig.Protocol.ALPN,
            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_2,
            ApplicationProtocolNames.HTTP_1_1),
        ClientAuth.OPTIONAL,
        null,
        false);
  }

  private Channel listen(InetSocketAddress address) throws IOException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.AUTO_READ, false) // accepts no connection before start()
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(RequestTargets.prepared(this::accept))
            .bind(address)
            .awaitUninterruptibly();
    Throwable refused = bound.cause();
    if (refused == null) {
      return bound.channel();
    }
    loops.shutdownGracefully();
    throw refused instanceof IOException io ? io : new IOException(refused);
  }

  private void accept(Channel connection) {
    JdkSslContext own = tls;
    if (own == null) {
      speakHttp1(connection.pipeline());
      return;
    }
    SslHandler secured = own.newHandler(connection.alloc());
    secured.engine().setSSLParameters(useClientCipherOrder(secured));
    connection.pipeline().addLast(secured, new ProtocolPipeline());
  }

  private void speakHttp1(ChannelPipeline pipeline) {
    pipeline.addLast(
        new HttpServerCodec(HEAD, HEAD, CHUNK),
        new FlowControlHandler(), // passes on one request after the other
        new HttpObjectAggregator(MOST_BODY),
        new Http1Requests(this, pipeline.channel()));
  }

  private static SSLParameters useClientCipherOrder(SslHandler secured) {
    SSLParameters parameters = secured.engine().getSSLParameters();
    parameters.setUseCipherSuitesOrder(false);
    return parameters;
  }

  private final class ProtocolPipeline extends ApplicationProtocolNegotiationHandler {
    ProtocolPipeline() {
      super(ApplicationProtocolNames.HTTP_1_1);
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext context, String protocol) {
      ChannelPipeline pipeline = context.pipeline();
      if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
        pipeline.addLast(
            Http2FrameCodecBuilder.forServer()
                .initialSettings(
                    Http2Settings.defaultSettings()
                        .maxConcurrentStreams(STREAMS)
                        .maxHeaderListSize(HEAD)
                        .maxFrameSize(WINDOW)
                        .initialWindowSize(WINDOW))
                .decoderEnforceMaxRstFramesPerWindow(
                    0, 0) // no limit: clients may cancel many watches
                .encoderEnforceMaxRstFramesPerWindow(0, 0)
                .build(),
            new Http2MultiplexHandler(
                RequestTargets.prepared(stream ->
                    stream.pipeline().addLast(new Http2Request(WireListener.this, stream)))),
            new BrokenConnections());
      } else {
        speakHttp1(pipeline);
      }
    }

    @Override
    protected void handshakeFailure(ChannelHandlerContext context, Throwable why) {
      LOG.log(
          Level.DEBUG, () -> "TLS handshake failed with " + context.channel().remoteAddress(), why);
      context.close();
    }
  }

  private static final class BrokenConnections extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable broken) {
      LOG.log(Level.DEBUG, () -> "broken: " + context.channel().remoteAddress(), broken);
      context.close();
    }
  }

  void serve(Channel connection, WireExchange.WireRequest request, AnswerWriter answering) {
    SslHandler secured = connection.pipeline().get(SslHandler.class);
    WireExchange exchange =
        new WireExchange(
            request,
            new WireExchange.ConnectionEnds(
                secured == null ? null : secured.engine().getSession(),
                (InetSocketAddress) connection.remoteAddress(),
                (InetSocketAddress) connection.localAddress()),
            answering);
    RequestService by =
        Objects.requireNonNull(service.get(), "the listener accepts connections before start()");
    try {
      by.threads().execute(() -> serve(exchange, by.handler()));
    } catch (RejectedExecutionException stopping) {
      exchange.close();
    }
  }

  private static void serve(WireExchange exchange, HttpHandler handler) {
    try {
      handler.handle(exchange);
    } catch (IOException closed) {
      LOG.log(Level.DEBUG, () -> exchange.getRequestURI() + " was not answered", closed);
    } catch (RuntimeException bug) {
      LOG.log(Level.ERROR, () -> exchange.getRequestURI() + " failed with a bug", bug);
    } finally {
      exchange.close();
    }
  }

  public int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /**
   * Starts to serve. Call it once.
   *
   * @param handler serves every request and closes the exchange
   * @param threads run the handler
   */
  public void start(HttpHandler handler, Executor threads) {
    service.set(new RequestService(handler, threads));
    listening.config().setAutoRead(true);
  }

  /** Closes every connection and releases the port. */
  @Override
  public void close() {
    if (loops.isShuttingDown()) {
      return;
    }
    listening.close().syncUninterruptibly();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
