// Suites that the page offers: positions of testdata/epd, without their comments.

export const SUITES: readonly { name: string; epd: string }[] = [
  { name: "Tactics", epd: `\
5r1k/4Q1bp/6p1/8/2B5/1pqP4/6PP/1R5K w - - bm Bxb3; id "tactical 001";
r1b1k1r1/pp3pp1/2qb3p/2B1p3/2P5/3R1QP1/P4P2/3R2K1 w q - bm Rxd6; id "tactical 002";
r5kQ/p1p2p2/Pp1p4/8/2P1p3/1BPR2Bq/5Pn1/R5K1 b - - bm Qxh8; id "tactical 003";
3rk2r/pp1q1pb1/2p2npp/4p3/P1P1P3/1P6/1BQ1NPPP/R4RK1 b k - bm Qd2; id "tactical 004";
4rrk1/pp3pp1/3p4/q1pPbP1p/2P1N1n1/1P3Q2/P3NPP1/4RRK1 b - - bm Bh2+; id "tactical 005";
3r3k/p6p/1p3b2/1n4p1/P1B2P2/2q3PP/1N2R2K/2Q5 w - - bm Rc2; id "tactical 006";
1R6/5b1k/1P5p/3p2p1/1q4P1/3Qp2P/6K1/8 b - - bm Bg6; id "tactical 007";
7r/1p3k2/2p1n3/p2bP3/8/P5B1/1P3P2/3RRK2 b - - bm Bf3; id "tactical 008";
5rk1/pN5b/p3P1pP/4RnN1/2pp4/qP3P2/2P4Q/2KR4 w - - bm Kd2; id "tactical 009";
2r3k1/1B3p1p/p2Bbbp1/P6q/3r4/1Q4P1/P4P1P/3RR1K1 w - - bm Bxc8; id "tactical 010";
5k2/p7/1p1p1n2/3p1N2/b2P4/P1K1P1P1/1PB3Q1/3q4 b - - bm Qc1; id "tactical 011";
4r3/2p5/1r1p3k/p1pQ1pp1/P1P4q/1P2PPn1/6B1/1R1R2K1 w - - bm Qf7; id "tactical 012";
8/p1k1nQP1/1p6/2p3b1/P2p4/3PnN1B/1q2K3/8 w - - bm Ke1; id "tactical 013";
r2nkb1r/6p1/p1p2Pn1/R6p/P1B3q1/1QP2N2/4KP2/1RB5 b kq - bm gxf6; id "tactical 014";
r3rnk1/2q3p1/2p2pB1/3p3Q/p2P3P/p3BNR1/1PPN1P2/2K5 b - - bm a2; id "tactical 015";
r2k1b1r/p2q4/1p6/1P2Qp1p/3pN2P/5P1B/P7/2R3K1 b - - bm Qg7+; id "tactical 016";
r4r2/p2pkp1p/2bnpnpP/q7/1p1P1Q2/1Pp5/PNP1NPP1/1K1R1BR1 w - - bm Qxd6+; id "tactical 017";
2r2rk1/1b2bppp/p2ppn2/q7/PnpPP3/5NN1/3BBPPP/R2Q1RK1 w - - bm Bxb4; id "tactical 018";
2r3k1/5p2/3q2P1/p3b3/1n1p1N2/1P2PP2/3Q1K1P/3R2R1 b - - bm Rc2; id "tactical 019";
r1bk1b1r/2p1n1pp/1p1qpp2/nB1p4/3PP3/1QPNBP2/P1N3PP/1R3RK1 w - - bm e5; id "tactical 020";
r3kb1r/pb2nppp/1pn1p3/8/2Nq4/1P4P1/P3PPBP/R1BQ1RK1 w kq - bm Qxd4; id "tactical 021";
k3q2r/1p3rb1/p4nQ1/3p4/3B4/1N1PP3/1P1K4/2R2R2 b - - bm Ne4+; id "tactical 022";
3r2k1/5ppp/7P/2Rp3n/3QP1q1/6N1/5P2/6K1 w - - bm Rxd5; id "tactical 023";
r4r2/pp4pk/1qnNR2p/5p2/1pQ4N/5P1P/PPP3P1/7K b - - bm Qd4; id "tactical 024";
rnb1k1nr/1pp3p1/p7/2bp2Rp/5N2/8/PPP1PP1q/RNBQKB2 w Qkq - bm Rg2; id "tactical 025";
1k1rr3/pbpn2pp/1p1bNp1n/1P6/R7/2B2PPB/2NPPR1P/6K1 b - - bm Rxe6; id "tactical 026";
1q4k1/5p2/6pb/p3p2p/b2QPP2/2B5/4N1PP/7K w - - bm Qxa4; id "tactical 027";
r5k1/ppq1p2p/n3Pp1P/5Bp1/6Q1/1R3NP1/PP3PK1/2r5 b - - bm Qc4; id "tactical 028";
5rk1/1R4b1/2p1p3/q1P4p/3PQ1pP/4P1P1/5PK1/8 w - - bm Qxe6+; id "tactical 029";
q7/2p2k2/3b3p/8/1pPQ1B2/7P/2P3r1/5R1K w - - bm Qd5+; id "tactical 030";
` },
  { name: "Endgames", epd: `\
6rk/R5p1/4K2p/2P1P1q1/3PQ3/8/8/8 b - - bm Qd8; id "endgame 001";
3R4/2K5/5k2/7p/8/8/8/8 b - - bm Kf5; id "endgame 002";
8/5kp1/2PR2p1/r5P1/6K1/5P2/6r1/2R5 w - - bm Kf4; id "endgame 003";
8/Pk6/1B6/2P2p2/3b2p1/8/5KP1/8 w - - bm Kg3; id "endgame 004";
8/1k6/8/3bPp2/4q3/6P1/1P3R1K/2Q5 b - - bm f4; id "endgame 005";
8/8/8/B4k2/6rK/8/8/8 w - - bm Kh3; id "endgame 006";
1k1r4/2b5/8/8/1P2QR1P/5P1K/6P1/7r w - - bm Kg4; id "endgame 007";
r7/P1k5/2P2p2/R7/8/8/3K4/8 w - - bm Ra6; id "endgame 008";
8/6R1/6p1/8/7p/6k1/5r2/6K1 b - - bm Rf6; id "endgame 009";
5b2/8/8/3P3P/4k3/p4p2/2N5/4K3 b - - bm a2; id "endgame 010";
8/8/8/8/b4K2/6R1/7k/8 w - - bm Kf3; id "endgame 011";
8/8/8/8/3b4/5K2/6Rk/8 b - - bm Kh1; id "endgame 012";
4r3/1pk1PQ2/5p2/2p3p1/8/4RPq1/8/2K5 w - - bm Qxe8; id "endgame 013";
1k6/8/3K4/8/6Rp/2P3p1/PP1r4/8 w - - bm Kc6; id "endgame 014";
8/8/5p1P/8/pn1k1P2/8/Bp4K1/8 w - - bm Bb1; id "endgame 015";
8/6k1/5pp1/4Pp1p/7P/5PK1/8/8 w - - bm exf6+; id "endgame 016";
4R3/4KP2/2r5/8/3kP3/8/2p5/8 w - - bm f8=Q; id "endgame 017";
8/7R/5p1p/2P2k2/P7/3P3p/3K4/r7 w - - bm c6; id "endgame 018";
4Q3/6k1/3P4/pN3q2/Pr6/1P6/8/4RK2 w - - bm Ke2; id "endgame 019";
k7/1b4r1/p2N3R/2P1n3/1p6/4P3/6BK/8 w - - bm Rh8+; id "endgame 020";
8/1Pk2p2/8/8/5K2/8/5P2/8 w - - bm Ke5; id "endgame 021";
8/8/8/1k2b3/8/4B1PK/1p3r2/1R6 b - - bm Rc2; id "endgame 022";
5R2/2K5/2P5/5r2/5pk1/8/8/8 w - - bm Rxf5; id "endgame 023";
3Q2k1/pp6/6P1/5r2/4q2p/2KR4/8/8 b - - bm Rf8; id "endgame 024";
8/2n5/5K1B/6P1/8/2kp4/8/8 w - - bm g6; id "endgame 025";
8/8/1PNp1k2/5Pp1/K5r1/1B2p3/8/8 w - - bm Kb5; id "endgame 026";
8/1p6/p1p3N1/2k1KP2/2P5/1P6/n1n5/8 b - - bm Ne3; id "endgame 027";
8/8/1PK2n2/3p1k2/8/8/2P5/8 b - - bm Ke6; id "endgame 028";
5q1k/8/4P1Q1/p3r3/P5P1/8/6P1/1R4K1 b - - bm Re1+; id "endgame 029";
r6n/P1p5/2k2p2/8/2PR4/8/3p2K1/3B4 w - - bm Bf3+; id "endgame 030";
` },
];
